import type { Browser, Page } from '@playwright/test';
import { weighScripts } from '../e2e/script-weight';

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

/** Nothing of another visit is known: no cache, no cookies. */
export async function measureVisit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  try {
    const page = await context.newPage();
    const weight = weighScripts(page);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable');
    const before = await taskSeconds();
    await page.goto(url);
    await rests(page);
    const cpuMs = Math.round(1000 * ((await taskSeconds()) - before));
    const domNodes = await page.evaluate(() => document.querySelectorAll('*').length);
    const scriptGzipKiB = Math.round(await weight());
    return {
      firstHtmlHasContent: await hasContent(url),
      scriptGzipKiB,
      cpuMs,
      domNodes,
      longTasksOver100ms: await longTasksOfScrolling(page),
    };

    async function taskSeconds(): Promise<number> {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
    }
  } finally {
    await context.close();
  }
}

/** From the click on the first node of the tree until its level stands there. */
export async function measureDrillDown(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  try {
    const page = await context.newPage();
    await page.goto(url);
    await rests(page);
    return await page.evaluate(async () => {
      const link = document.querySelector<HTMLElement>('main table [data-node$=":"]');
      if (!link) throw new Error('The tree has no node to open.');
      const [from, level] = [location.href, document.querySelector('main table tbody')?.textContent];
      const started = performance.now();
      link.click();
      while (location.href === from || document.querySelector('main table tbody')?.textContent === level) {
        if (performance.now() - started > 20_000) throw new Error('The level does not come.');
        await new Promise((done) => requestAnimationFrame(done));
      }
      return Math.round(performance.now() - started);
    });
  } finally {
    await context.close();
  }
}

/** Nothing loads, and nothing was asked for half a second. */
async function rests(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.animate-pulse, [aria-busy="true"]').length === 0);
  await page.waitForTimeout(1000);
}

/** What a reader sees of the HTML before any script runs; the browser puts streamed parts in their place. */
export async function hasContent(url: string): Promise<boolean> {
  const html = await (await fetch(url, { headers: { accept: 'text/html', 'accept-language': 'en' } })).text();
  const text = html.slice(html.indexOf('<main')).replace(/<script[\s\S]*?<\/script>|<[^>]+>/g, ' ');
  return html.includes('<h1') && !html.includes('animate-pulse') && (text.match(/\d/g)?.length ?? 0) >= 5;
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
