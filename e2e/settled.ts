import { expect, type Page } from '@playwright/test';

/** The page has its heading and shows data: nothing is loading any more. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('.animate-pulse, [aria-busy="true"]')).toHaveCount(0);
}
