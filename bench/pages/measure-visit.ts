import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from '@playwright/test';
import { loadedScripts, measureWeight } from '../../e2e/script-weight';
import { inContext, rests } from './on-page';

export interface Visit {
  /** The main part of the HTML shows figures and no loading placeholder. */
  firstHtmlHasContent: boolean;
  /** Size of all scripts of the visit, each compressed separately. */
  scriptGzipKiB: number;
  /** CPU time of the renderer's main thread until the page is idle, without that of this measurement. */
  cpuMs: number;
  /** Number of long tasks while everything scrollable is scrolled to its end. */
  longTasksOver100ms: number;
  domNodes: number;
}

const IDLE_MS = 5;
/** Greatest CPU time that Playwright needs to inspect an idle page, ms. */
const LOOK_MS = 250;

/** `figures`: the least number of digits in the text of the page's main part. */
export function measureVisit(browser: Browser, url: string, figures: number): Promise<Visit> {
  return inContext(browser, async (page) => {
    const scripts = loadedScripts(page);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const before = await busyMs(devtools);
    const response = await page.goto(url);
    if (!response?.ok()) throw new Error(`${url} answers ${response?.status()}.`);
    const idleAt = await untilIdle(devtools);
    // Playwright is used only after the idle time: to check whether an element is visible it lays out the whole page.
    await rests(page);
    const restsAt = await busyMs(devtools);
    // If more than LOOK_MS was added, the page had only waited for an answer: then everything counts, including the
    // inspection.
    const cpuMs = Math.round((restsAt - idleAt > LOOK_MS ? restsAt : idleAt) - before);
    const domNodes = await page.evaluate(() => document.querySelectorAll('*').length);
    const scriptGzipKiB = Math.round(measureWeight(await scripts()));
    return {
      firstHtmlHasContent: await hasContent(url, figures),
      scriptGzipKiB,
      cpuMs,
      domNodes,
      longTasksOver100ms: await longTasksOfScrolling(page),
    };
  });
}

/** CPU time of all tasks of the main thread since counting began, without tasks of DevTools. */
async function busyMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return 1000 * (of('TaskDuration') - of('DevToolsCommandDuration'));
}

/** Waits until a second has passed in which the page did almost nothing. */
async function untilIdle(devtools: CDPSession): Promise<number> {
  for (let ms = await busyMs(devtools); ; ) {
    await sleep(1000);
    const now = await busyMs(devtools);
    if (now - ms < IDLE_MS) return now;
    ms = now;
  }
}

/** Returns whether the HTML shows content before any script runs; the browser moves streamed parts to their place. */
async function hasContent(url: string, figures: number): Promise<boolean> {
  const html = await (await fetch(url, { headers: { accept: 'text/html', 'accept-language': 'en' } })).text();
  const text = html.slice(html.indexOf('<main')).replace(/<script[\s\S]*?<\/script>|<[^>]+>/g, ' ');
  return html.includes('<h1') && !html.includes('animate-pulse') && (text.match(/\d/g)?.length ?? 0) >= figures;
}

function longTasksOfScrolling(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let long = 0;
    const observer = new PerformanceObserver((list) => {
      long += list.getEntries().filter((entry) => entry.duration > 100).length;
    });
    observer.observe({ type: 'longtask' });
    const scrolling = [document.scrollingElement, ...document.querySelectorAll('main *')].filter(
      (one): one is Element => one !== null && one.scrollHeight > one.clientHeight + 50,
    );
    for (const one of scrolling)
      for (let top = 0; top < Math.min(one.scrollHeight, 20_000); top += 600) {
        one.scrollTop = top;
        await new Promise((done) => requestAnimationFrame(done));
      }
    observer.disconnect();
    return long;
  });
}
