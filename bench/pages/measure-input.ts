import type { Browser, Page } from '@playwright/test';
import { onPage } from './on-page';
import { measureScriptMs } from './script-of-trace';

/** Script time of each hover and each key press in the tree, ms. */
export interface InputCosts {
  hoverRowMs: number[];
  hoverTileMs: number[];
  arrowKeyMs: number[];
}

const ACTS = 30;
/** After so many ms everything that an input triggers is finished. */
const REST_MS = 80;

export function measureInput(browser: Browser, url: string): Promise<InputCosts> {
  return onPage(browser, url, async (page) => {
    const each = (act: (turn: number) => Promise<void>) => traced(browser, page, act);
    const rows = await rowsInSight(page);
    const hoverRowMs = await each((turn) => page.mouse.move(...rows[turn % rows.length]!));
    const tiles = await overTheTreemap(page);
    const hoverTileMs = await each((turn) => page.mouse.move(...tiles[turn % tiles.length]!));
    await page.mouse.move(0, 0);
    await page.locator('main table [data-node]').first().focus();
    const arrowKeyMs = await each(() => page.keyboard.press('ArrowDown'));
    return { hoverRowMs, hoverTileMs, arrowKeyMs };
  });
}

/**
 * Measures with a trace, which does not slow the JavaScript engine down: under its profiler the same key presses took
 * up to 40 ms instead of 12, nearly all of it to clean up after the profiler.
 */
async function traced(browser: Browser, page: Page, act: (turn: number) => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, { categories: ['devtools.timeline', 'v8'] });
  const begins: number[] = [];
  for (let turn = 0; turn < ACTS; turn++) {
    begins.push(Number(process.hrtime.bigint() / 1000n));
    await act(turn);
    await page.waitForTimeout(REST_MS);
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const costs = measureScriptMs(traceEvents, begins);
  if (costs.every((ms) => ms === 0))
    throw new Error('No script fell into an act: the browser counts by another clock.');
  return costs;
}

type Point = [number, number];

async function rowsInSight(page: Page): Promise<Point[]> {
  const rows = await page.locator('main table tr:has([data-node])').evaluateAll((all) =>
    all.map((row) => {
      const { x, y, width, height } = row.getBoundingClientRect();
      return [x + width / 2, y + height / 2] as [number, number];
    }),
  );
  const scrolled = await page.locator('main section:has(table [data-node])').first().boundingBox();
  const last = Math.min(880, scrolled ? scrolled.y + scrolled.height : 0);
  const inSight = rows.filter(([, y]) => y < last);
  if (inSight.length < 5) throw new Error('The tree has no rows to hover over.');
  return inSight;
}

/** Returns points spread all over the treemap; consecutive points are far apart. */
async function overTheTreemap(page: Page): Promise<Point[]> {
  const canvas = page.locator('main canvas').first();
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  if (!box) throw new Error('The tree has no treemap.');
  return Array.from({ length: ACTS }, (_, turn): Point => {
    const at = (turn * 7) % ACTS;
    return [box.x + (box.width * ((at % 6) + 0.5)) / 6, box.y + (box.height * (Math.floor(at / 6) + 0.5)) / 5];
  });
}
