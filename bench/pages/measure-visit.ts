import type { Browser, Page } from '@playwright/test';
import { loadedScripts, weightOf } from '../../e2e/script-weight';
import { inContext, rests } from './on-page';

export interface Visit {
  /** The main part of the HTML shows figures and nothing that still loads. */
  firstHtmlHasContent: boolean;
  /** All scripts of the visit, each compressed by itself. */
  scriptGzipKiB: number;
  /** Time of the renderer's main thread until the page rests. */
  cpuMs: number;
  /** While everything that scrolls is scrolled to its end. */
  longTasksOver100ms: number;
  domNodes: number;
}

/** `figures`: how many digits the text of its main part has at least. */
export function measureVisit(browser: Browser, url: string, figures: number): Promise<Visit> {
  return inContext(browser, async (page) => {
    const scripts = loadedScripts(page);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    const taskSeconds = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
    };
    const before = await taskSeconds();
    const response = await page.goto(url);
    if (!response?.ok()) throw new Error(`${url} answers ${response?.status()}.`);
    await rests(page);
    const cpuMs = Math.round(1000 * ((await taskSeconds()) - before));
    const domNodes = await page.evaluate(() => document.querySelectorAll('*').length);
    const scriptGzipKiB = Math.round(weightOf(await scripts()));
    return {
      firstHtmlHasContent: await hasContent(url, figures),
      scriptGzipKiB,
      cpuMs,
      domNodes,
      longTasksOver100ms: await longTasksOfScrolling(page),
    };
  });
}

/** What a reader sees of the HTML before any script runs; the browser puts streamed parts in their place. */
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
