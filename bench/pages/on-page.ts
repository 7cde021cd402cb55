import type { Browser, Page } from '@playwright/test';

/** A browser that knows of no other visit: no cache, no cookies. Closed once `measure` is done. */
export async function inContext<T>(browser: Browser, measure: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  try {
    return await measure(await context.newPage());
  } finally {
    await context.close();
  }
}

/** The same, on a page that rests. */
export function onPage<T>(browser: Browser, url: string, measure: (page: Page) => Promise<T>): Promise<T> {
  return inContext(browser, async (page) => {
    await page.goto(url);
    await rests(page);
    return measure(page);
  });
}

/** Nothing loads, and nothing was asked for half a second. */
export async function rests(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.animate-pulse, [aria-busy="true"]').length === 0);
  await page.waitForTimeout(1000);
}
