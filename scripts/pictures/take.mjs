/** How a page is pictured, for the README and for the references of the browser tests. */
import { chromium } from '@playwright/test';
import { ensureChromium } from '../ensure/chromium.mjs';

/** The looks of every page. Higher than a screen: of a phone's page little would be seen otherwise. */
export const LOCALES = ['en', 'zh-CN'];
export const THEMES = ['light', 'dark'];
export const SIZES = [
  { width: 1280, height: 1440 },
  { width: 390, height: 1440 },
];

/** What is another every day and on every machine: moments, and drawings of what was measured. */
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

/** The page is there with its data, is taken over by the browser, and nothing moves any more. */
export async function untilDrawn(page) {
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  // The first HTML shows the numbers already: charts are drawn once the page is taken over.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('main, main button, main a')].every((element) =>
      Object.keys(element).some((key) => key.startsWith('__react')),
    ),
  );
  await page.waitForFunction(() => document.querySelector('.animate-pulse, [aria-busy="true"]') === null);
  // What turns for ever does not count.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
      ),
  );
}

/** The window and the theme change while the page stands: loading it is what takes its time. */
export async function* looksOf(page) {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.locator(`html.${theme}`).waitFor();
      yield { theme, width: size.width };
    }
  }
}

/** What the window shows, with grey where something varies. */
export const takePicture = (page) =>
  page.screenshot({ animations: 'disabled', caret: 'hide', mask: [page.locator(VARYING)], maskColor: '#808080' });
