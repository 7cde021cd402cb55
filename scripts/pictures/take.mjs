/** Takes pictures of pages, for the README and for the references of the browser tests. */
import { chromium } from '@playwright/test';
import { ensureChromium } from '../ensure/chromium.mjs';

/** The looks of every page. The viewports are taller than real screens, because a phone would show little of a page. */
export const LOCALES = ['en', 'zh-CN'];
export const THEMES = ['light', 'dark'];
export const SIZES = [
  { width: 1280, height: 1440 },
  { width: 390, height: 1440 },
];

/** Parts that differ every day and on every machine: times, and charts of measured values. */
const VARYING = 'time, main canvas, main [role="img"]';

export const launchBrowser = async () =>
  chromium.launch({
    executablePath: await ensureChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-background-networking',
    ],
  });

/** Waits until the page shows its data, React has hydrated it, and nothing moves any more. */
export async function untilDrawn(page) {
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  // The server-rendered HTML already shows the numbers, but charts are drawn only after hydration.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('main, main button, main a')].every((element) =>
      Object.keys(element).some((key) => key.startsWith('__react')),
    ),
  );
  await page.waitForFunction(() => document.querySelector('.animate-pulse, [aria-busy="true"]') === null);
  // Endless animations do not count.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
      ),
  );
}

/** Changes viewport and theme without reloading the page, because loading it takes most of the time. */
export async function* eachLook(page) {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.locator(`html.${theme}`).waitFor();
      yield { theme, width: size.width };
    }
  }
}

/** Takes a picture of the viewport, with grey over the parts that vary. */
export const takePicture = (page) =>
  page.screenshot({ animations: 'disabled', caret: 'hide', mask: [page.locator(VARYING)], maskColor: '#808080' });
