import type { Browser } from '@playwright/test';
import { onPage } from './on-page';

/** Returns ms from the click on a node (the first that opens, unless named) until its level is visible. */
export function measureDrillDown(browser: Browser, url: string, node?: string): Promise<number> {
  return onPage(browser, url, (page) =>
    page.evaluate(async (path) => {
      const rows = document.querySelectorAll<HTMLElement>('main table [data-node]');
      const link = [...rows].find(({ dataset: { node } }) => (path === null ? node?.endsWith(':') : node === path));
      if (!link) throw new Error('The tree has no such node to open.');
      const [from, level] = [location.href, document.querySelector('main table tbody')?.textContent];
      const started = performance.now();
      link.click();
      while (location.href === from || document.querySelector('main table tbody')?.textContent === level) {
        if (performance.now() - started > 20_000) throw new Error('The level does not come.');
        await new Promise((done) => requestAnimationFrame(done));
      }
      return Math.round(performance.now() - started);
    }, node ?? null),
  );
}
