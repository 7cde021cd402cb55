import { expect, type Page } from '@playwright/test';

/** The page has its heading and shows data: nothing is loading any more, and its buttons are heard. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  // First: some of what loads begins with the script.
  await hydrated(page);
  await expect(page.locator('.animate-pulse, [aria-busy="true"]')).toHaveCount(0);
}

/**
 * The server's HTML has buttons and fields before the script that hears them: until then a click goes nowhere, and what
 * is typed is not known. Of a page that is still arriving nothing is said by the buttons that are there so far.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.readyState === 'complete' &&
      [...document.querySelectorAll('button')].every((one) =>
        Object.keys(one).some((name) => name.startsWith('__reactFiber$')),
      ),
  );
}

/** What listens beside the tree of React, a shortcut, does so once the browser has nothing else left to do. */
export async function listening(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 5_000 })));
}

/** Nothing fades in or moves any more. What turns for ever, and bars that follow a job, do not count. */
export async function still(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every((one) => {
      if (one.playState !== 'running') return true;
      if (one instanceof CSSTransition && one.transitionProperty === 'width') return true;
      return Number(one.effect?.getComputedTiming().endTime ?? 0) === Number.POSITIVE_INFINITY;
    }),
  );
}
