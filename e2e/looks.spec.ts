import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { compareBlocks, looksAlike } from '../scripts/pictures/compare.mjs';
import { startPictureDemo } from '../scripts/pictures/picture-demo.mjs';
import { PictureReader } from '../scripts/pictures/picture-reader.mjs';
import { buildReferencePath, REFERENCES } from '../scripts/pictures/reference-files.mjs';
import { eachLook, LOCALES, SIZES, THEMES, takePicture, untilDrawn } from '../scripts/pictures/take.mjs';
import { LONG } from '../test/long-form.mjs';
import { expect, test } from './fixtures';
import { listPictured } from './pages';
import { undrawn } from './undrawn';

/**
 * Pages look as they did when `node scripts/screenshots.mjs --references` was run. Exact positions and words are
 * checked in layout.spec.ts. After an intended change write the references again and check what has changed (`--keep
 * FOLDER` saves the full pictures). The long form checks every page, in both languages and themes, on a screen and on a
 * phone.
 */
const AS_IT_WAS = 'as its reference';
const MAX_BYTES = 2 * 1024 * 1024;

/** These pages consist of different elements: cards, charts, a tree, lists, a form, a grid of slots. */
const FEW_PAGES = [
  ...['fleet', 'overview', 'tree', 'bigkeys', 'ttl', 'keys', 'findings', 'rule', 'policy', 'key', 'edit'],
  'slots of a cluster',
];
interface Look {
  theme: string;
  width: number;
}
/**
 * One look of each page in each language, chosen so that each language, theme and width is combined with each other.
 */
const FEW_LOOKS: Record<string, Look>[] = [
  { en: { theme: 'light', width: 1280 }, 'zh-CN': { theme: 'dark', width: 390 } },
  { en: { theme: 'dark', width: 390 }, 'zh-CN': { theme: 'light', width: 1280 } },
  { en: { theme: 'dark', width: 1280 }, 'zh-CN': { theme: 'light', width: 390 } },
  { en: { theme: 'light', width: 390 }, 'zh-CN': { theme: 'dark', width: 1280 } },
];
async function* oneLook(page: Page, look: Look) {
  await page.setViewportSize(SIZES.find(({ width }) => width === look.width)!);
  await page.emulateMedia({ colorScheme: look.theme as 'light' | 'dark', reducedMotion: 'reduce' });
  await page.locator(`html.${look.theme}`).waitFor();
  yield look;
}

const softly = expect.configure({ soft: true, timeout: 30_000 });

test.describe('every page looks as its reference', () => {
  let demo: Awaited<ReturnType<typeof startPictureDemo>>;
  test.beforeAll(async () => {
    test.setTimeout(240_000);
    demo = await startPictureDemo();
  });
  test.afterAll(async () => {
    await demo?.end();
  });

  const speak = (page: Page, locale: string) =>
    page.context().addCookies([{ name: 'locale', value: locale, url: demo.origin }]);
  const pages = () => listPictured(demo).filter(({ name }) => LONG || FEW_PAGES.includes(name));
  const visit = async (page: Page, path: string) => {
    await page.goto(demo.origin + path);
    await untilDrawn(page);
  };

  for (const locale of LOCALES)
    test(`in ${locale}`, async ({ page, context }) => {
      test.setTimeout(900_000);
      await speak(page, locale);
      const reader = new PictureReader(await context.newPage());
      for (const [at, { name, path }] of pages().entries())
        await test.step(name, async () => {
          await visit(page, path);
          await expect(page.locator('html')).toHaveAttribute('lang', locale);
          const looks = LONG ? eachLook(page) : oneLook(page, FEW_LOOKS[at % FEW_LOOKS.length]![locale]!);
          for await (const look of looks) {
            const file = join(REFERENCES, buildReferencePath(name, { locale, ...look }));
            const what = `${name}, ${locale}, ${look.theme}, ${look.width} pixels`;
            if (!existsSync(file)) {
              expect.soft(file, `${what} has no reference`).toBe('written by scripts/screenshots.mjs --references');
              continue;
            }
            const reference = await reader.read(readFileSync(file));
            let picture = Buffer.alloc(0);
            const compared = async () => {
              picture = await takePicture(page);
              const found = compareBlocks(reference, await reader.reduce(picture));
              return looksAlike(found) ? AS_IT_WAS : JSON.stringify(found);
            };
            const failed = test.info().errors.length;
            await softly.poll(compared, { message: what, intervals: [100] }).toBe(AS_IT_WAS);
            if (test.info().errors.length > failed)
              await test.info().attach(what, { body: picture, contentType: 'image/png' });
            await softly.poll(() => page.evaluate(undrawn), { message: `${what}: nothing is drawn` }).toEqual([]);
          }
        });
    });

  test('references are of pages that there are, and small', () => {
    const expected = listPictured(demo).flatMap(({ name }) =>
      LOCALES.flatMap((locale) =>
        THEMES.flatMap((theme) => SIZES.map(({ width }) => buildReferencePath(name, { locale, theme, width }))),
      ),
    );
    const files = readdirSync(REFERENCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.png'),
    );
    expect(files.toSorted()).toEqual(expected.toSorted());
    const bytes = files.reduce((sum, file) => sum + statSync(join(REFERENCES, file)).size, 0);
    expect(bytes).toBeLessThan(MAX_BYTES);
  });

  /** Changes of a page after which it must still count as the same. */
  const SAME: Record<string, string> = {
    'a pixel aside': 'body { translate: 1px 1px }',
    'bolder letters': 'body { -webkit-text-stroke: 0.3px }',
    'letters of another antialiasing': 'body { text-rendering: geometricPrecision; letter-spacing: 0.01em }',
    'a narrower font': '* { font-family: "Liberation Sans", Arial, sans-serif !important }',
    'a wider font': '* { font-family: "DejaVu Sans", Verdana, sans-serif !important }',
  };
  // The comparison itself is tested in scripts/pictures/compare.test.ts; here it is applied to pages.
  for (const { width, height } of LONG ? SIZES : [])
    test(`what is missing or wrong is found, other letters are not, ${width} pixels`, async ({ page, context }) => {
      test.setTimeout(300_000);
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await speak(page, 'en');
      const reader = new PictureReader(await context.newPage());
      let blanked = 0;
      for (const name of LONG ? ['overview', 'findings', 'keys', 'policy'] : ['overview']) {
        const { path } = listPictured(demo).find((one) => one.name === name) ?? { path: '' };
        await visit(page, path);
        const reference = await reader.read(await reader.write(await reader.reduce(await takePicture(page))));
        const compared = async () => compareBlocks(reference, await reader.reduce(await takePicture(page)));
        const isSame = async (what: string, same: boolean) => {
          const found = await compared();
          expect.soft([looksAlike(found), found], `${name}: ${what}`).toEqual([same, expect.anything()]);
        };
        await isSame('nothing was done', true);
        for (const [what, css] of Object.entries(SAME)) {
          const style = await page.addStyleTag({ content: css });
          await isSame(what, true);
          await style.evaluate((element) => (element as Element).remove());
        }

        // Empties each card that has a few lines.
        const cards = await page.evaluateHandle(() =>
          [...document.querySelectorAll<HTMLElement>('main section.bg-surface')].filter((card) => {
            const { top, bottom, height } = card.getBoundingClientRect();
            return top >= 0 && bottom <= window.innerHeight && height > 160 && card.innerText.split('\n').length > 6;
          }),
        );
        const count = await cards.evaluate((all) => all.length);
        blanked += count;
        for (let at = 0; at < count; at++) {
          const show = (visibility: string) =>
            cards.evaluate(
              (all, look) => {
                for (const child of all[look.at]!.querySelectorAll<HTMLElement>('*'))
                  child.style.visibility = look.visibility;
              },
              { at, visibility },
            );
          await show('hidden');
          await isSame(`card ${at + 1} is blank`, false);
          await show('');
        }
        await isSame('cards are back', true);

        if (width > 1000) {
          await page.addStyleTag({ content: 'nav { display: none !important }' });
          await isSame('there is no menu', false);
          await visit(page, path);
        }
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.locator('html.dark').waitFor();
        await isSame('the theme is the other one', false);
        await page.emulateMedia({ colorScheme: 'light' });
        await page.locator('html.light').waitFor();
        await page.evaluate(() => {
          for (const style of document.querySelectorAll('link[rel="stylesheet"], style')) style.remove();
        });
        await isSame('it has no styles', false);
      }
      expect(blanked).toBeGreaterThan(3);
    });
});
