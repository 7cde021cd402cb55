import { expect, test } from './fixtures';
import { pagesOf } from './pages';
import { weighScripts } from './script-weight';
import { settled } from './settled';

/** What a phone has to load and run before a page answers: bound of `npm run bench -- pages`, here for every page. */
const MAX_KIB = 250;

test('no page loads more than 250 KiB of scripts', async ({ browser, house }) => {
  test.setTimeout(240_000);
  const weights: Record<string, number> = {};
  for (const { name, path } of pagesOf(house)) {
    // Nothing of another visit is known: no cache.
    const context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    const weight = weighScripts(page);
    await page.goto(house.stage.origin + path);
    await settled(page);
    weights[name] = Math.round(await weight());
    await context.close();
  }
  const heavy = Object.entries(weights).filter(([, kib]) => kib > MAX_KIB || kib < 50);
  expect(heavy, JSON.stringify(weights)).toEqual([]);
});
