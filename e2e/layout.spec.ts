import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { LONG } from '../test/long-form.mjs';
import { crowded } from './crowded';
import { expect, type Shared, test } from './fixtures';
import { isAccessible } from './is-accessible';
import { laidOut } from './laid-out';
import { listPages } from './pages';
import { settled, still } from './settled';
import { untranslated } from './untranslated';

/**
 * Checks one page of eight in English and other ones in Chinese, in both widths: its words, the result of axe, and the
 * positions of elements rather than the colour of each pixel. Regions are next to each other and inside the viewport,
 * no texts overlap, and no text is cut off that cannot be read elsewhere. LONG=1: every page in both languages. With
 * COLONNADE_PICTURES=FOLDER every page is also saved as a picture in both themes, for inspection.
 */
const FOLDER = process.env.COLONNADE_PICTURES;
/** Whether every page is checked in both languages. */
const EVERY = LONG || FOLDER !== undefined;
const THEMES = FOLDER ? (['light', 'dark'] as const) : (['light'] as const);
const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
/** A narrow viewport for the page that has everything a list may have: filter, actions, table, pager. */
const NARROW = { width: 360, height: 780 };

const softly = expect.configure({ soft: true });

/** Returns one page of eight for English, other ones for Chinese; the page with the most content is checked in both. */
const pagesIn = (locale: string, shared: Shared) =>
  listPages(shared).filter(({ name }, at) => EVERY || name === 'keys' || at % 8 === (locale === 'en' ? 0 : 4));

async function isLaidOut(page: Page, name: string, width: number) {
  let found: ReturnType<typeof laidOut> | undefined;
  // Charts and virtual tables measure again after the width has changed, and fonts may still load.
  await softly
    .poll(
      async () => {
        found = await page.evaluate(laidOut);
        const { beyond, overlapping, unreadable } = found;
        return { outsideTheWindow: beyond, textOnText: overlapping, cutWithoutAWayToReadIt: unreadable };
      },
      { message: name, intervals: [100] },
    )
    .toEqual({ outsideTheWindow: [], textOnText: [], cutWithoutAWayToReadIt: [] });
  const { header, main, h1 } = (found ?? (await page.evaluate(laidOut))).regions;
  expect.soft([header.top, header.height], `${name}: top bar`).toEqual([0, 48]);
  expect.soft(main.right, `${name}: main`).toBeLessThanOrEqual(width);
  expect.soft(main.left, `${name}: main beside the menu`).toBeGreaterThanOrEqual(width > 1000 ? 180 : 0);
  expect.soft(h1.top, `${name}: title`).toBeLessThan(260);
}

for (const [locale, word] of [
  ['en', 'Fleet'],
  ['zh-CN', /[\u4e00-\u9fff]/],
] as const)
  for (const theme of THEMES)
    test(`${EVERY ? 'every page' : 'one page of eight'} in ${locale}, ${theme}: words, axe, regions, text`, async ({
      page,
      shared,
      context,
    }) => {
      test.setTimeout(900_000);
      await context.addCookies([{ name: 'locale', value: locale, url: shared.stage.origin }]);
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      for (const { name, path } of pagesIn(locale, shared))
        await test.step(name, async () => {
          await page.setViewportSize(SIZES[0]!);
          await page.goto(shared.stage.origin + path);
          await settled(page);
          await expect(page.locator('html')).toHaveAttribute('lang', locale);
          await expect(page.getByRole('navigation').first()).toContainText(word);
          expect.soft(await untranslated(page), name).toEqual([]);
          // The result of axe is the same in both languages, except for the texts of labels, which `untranslated`
          // checks.
          if ((locale === 'en' || !EVERY) && theme === 'light') await isAccessible(page, name);
          for (const size of name === 'keys' ? [...SIZES, NARROW] : SIZES) {
            await page.setViewportSize(size);
            await isLaidOut(page, `${name} at ${size.width}`, size.width);
            if (!FOLDER) continue;
            mkdirSync(FOLDER, { recursive: true });
            const file = [name.replace(/\W+/g, '-'), locale, theme, size.width].join('.');
            await page.screenshot({ path: join(FOLDER, `${file}.png`), fullPage: size.width < 400 });
          }
        });
    });

/** With the emergency stop and the running jobs the bar is as full as it can be, and the stop must stay reachable. */
for (const [locale, other] of (
  [
    ['en', '简体中文'],
    ['zh-CN', 'English'],
  ] as const
).slice(0, LONG ? 2 : 1))
  test(`the top bar while a deletion runs, in ${locale}`, async ({ page, shared, context }) => {
    await context.addCookies([{ name: 'locale', value: locale, url: shared.stage.origin }]);
    const jobs = ['deletion', 'scan'].map((kind) => ({ id: kind, kind, state: 'running', instanceName: 'mall' }));
    await page.route(
      (url) => url.pathname === '/api/jobs' && url.searchParams.has('active'),
      (route) => route.fulfill({ json: { jobs } }),
    );
    const bar = page.getByRole('banner');
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
      [360, 780],
    ] as const)
      for (const path of ['/', `/instances/${shared.mall.id}/keys`]) {
        await page.setViewportSize({ width, height });
        await page.goto(shared.stage.origin + path);
        await settled(page);
        await expect(bar.getByRole('button', { name: /Emergency stop|紧急停止/ })).toBeVisible();
        await expect(bar.getByRole('button', { name: /2 jobs running|2 个任务运行中/ })).toBeVisible();
        await expect.poll(() => page.evaluate(crowded), { message: `${path} at ${width}` }).toEqual([]);
        if (FOLDER) await bar.screenshot({ path: join(FOLDER, `top-bar.${locale}.${width}.${path.length}.png`) });
      }
    // Menus that do not fit into the bar are in the user's menu.
    await bar.getByRole('button').last().click();
    const menu = page.getByRole('menu');
    await expect(menu.getByRole('menuitemcheckbox', { name: /^(Dark|深色)$/ })).toBeVisible();
    await still(page);
    if (locale === 'en') await isAccessible(page, 'user menu on a phone', { include: '[role="menu"]' });
    if (FOLDER) await page.screenshot({ path: join(FOLDER, `user-menu.${locale}.png`) });
    await menu.getByRole('menuitemcheckbox', { name: other }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', locale === 'en' ? 'zh-CN' : 'en');
  });
