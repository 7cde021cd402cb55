import { COMPILE_HINT, SMALL } from '../scripts/compile-hints.mjs';
import { LONG } from '../test/long-form.mjs';
import { expect, test } from './fixtures';
import { listPages } from './pages';
import { loadedScripts, measureWeight } from './script-weight';
import { settled } from './settled';

/**
 * Limit for the scripts that a page loads before it can be used: the same as in `npm run bench -- pages`, here for
 * every page.
 */
const MAX_KIB = 250;
/** Limit with the library that draws charts. */
const MAX_KIB_WITH_CHARTS = 380;
/** The pages with the most content, and one of each kind. LONG=1: every page. */
const FEW_PAGES = ['fleet', 'profile', 'register', 'overview', 'tree', 'keys', 'sizes', 'findings', 'policy', 'key'];
/** Every schema of zod has a field of this name, which no minifier shortens. */
const hasShapes = (scripts: readonly Buffer[]) => scripts.some((script) => script.includes('_zod'));

test(`no ${LONG ? '' : 'heavy '}page loads more than 250 KiB of scripts (380 with charts), none of them with shapes`, async ({
  browser,
  shared,
}) => {
  test.setTimeout(480_000);
  const weights: Record<string, number> = {};
  const heavy: string[] = [];
  const shaped: string[] = [];
  const late: string[] = [];
  for (const { name, path } of listPages(shared).filter((one) => LONG || FEW_PAGES.includes(one.name))) {
    // A new context has no cache from another visit.
    const context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    const loaded = loadedScripts(page);
    await page.goto(shared.stage.origin + path);
    await settled(page);
    const scripts = await loaded();
    weights[name] = Math.round(measureWeight(scripts));
    const bound = (await page.locator('.recharts-surface').count()) > 0 ? MAX_KIB_WITH_CHARTS : MAX_KIB;
    if (weights[name] > bound || weights[name] < 50) heavy.push(name);
    if (hasShapes(scripts)) shaped.push(name);
    if (!scripts.every((script) => script.length < SMALL || script.toString().startsWith(COMPILE_HINT)))
      late.push(name);
    await context.close();
  }
  expect(heavy, JSON.stringify(weights)).toEqual([]);
  expect(shaped, 'pages whose first load has zod').toEqual([]);
  expect(late, 'pages with scripts that are compiled when they are called').toEqual([]);
});

test('shapes come with what is checked by them: a form once it is sent', async ({ page, shared }) => {
  const loaded = loadedScripts(page);
  await page.goto(`${shared.stage.origin}/instances/new`);
  await settled(page);
  expect(hasShapes(await loaded())).toBe(false);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  expect(hasShapes(await loaded())).toBe(true);
});
