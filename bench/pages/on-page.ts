import type { Browser, Page } from '@playwright/test';

/** Opens a browser context without cache and cookies from other visits, and closes it after `measure`. */
export async function inContext<T>(browser: Browser, measure: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  try {
    return await measure(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Does the same, and calls `measure` when the page is idle. */
export function onPage<T>(browser: Browser, url: string, measure: (page: Page) => Promise<T>): Promise<T> {
  return inContext(browser, async (page) => {
    await page.goto(url);
    await rests(page);
    return measure(page);
  });
}

/** Waits until nothing loads and there was no request for half a second. */
export async function rests(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.animate-pulse, [aria-busy="true"]').length === 0);
  await page.waitForTimeout(1000);
}
