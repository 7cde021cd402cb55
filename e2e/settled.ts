import { expect, type Page } from '@playwright/test';

/** The page has its heading and shows data: nothing is loading any more, and its buttons are heard. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('.animate-pulse, [aria-busy="true"]')).toHaveCount(0);
  await hydrated(page);
}

/** The server's HTML has buttons before the script that hears them: until then a click goes nowhere. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('button')].every((one) =>
      Object.keys(one).some((name) => name.startsWith('__reactFiber$')),
    ),
  );
}
