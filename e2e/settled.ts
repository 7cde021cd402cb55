import { expect, type Page } from '@playwright/test';

/** Waits until the page has its heading and shows data: nothing is loading, and its buttons work. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  // Wait for this first, because some data is loaded only after the script has started.
  await hydrated(page);
  await expect(page.locator('.animate-pulse, [aria-busy="true"]')).toHaveCount(0);
}

/**
 * Waits for hydration. The server's HTML has buttons and fields before the script that handles them: until then clicks
 * do nothing, and typed text is lost. While a page is still arriving, the existing buttons do not show whether it is
 * complete.
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

/** Waits for listeners outside the React tree, such as shortcuts, which are added when the browser is idle. */
export async function listening(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 5_000 })));
}

/** Waits until nothing fades in or moves any more. Endless animations, and bars that follow a job, do not count. */
export async function still(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every((one) => {
      if (one.playState !== 'running') return true;
      if (one instanceof CSSTransition && one.transitionProperty === 'width') return true;
      return Number(one.effect?.getComputedTiming().endTime ?? 0) === Number.POSITIVE_INFINITY;
    }),
  );
}
