import type { Browser, CDPSession, Page } from '@playwright/test';
import { onPage } from './on-page';

/** Script time of each hover and each key in the tree, ms. */
export interface InputCosts {
  hoverRowMs: number[];
  hoverTileMs: number[];
  arrowKeyMs: number[];
}

const ACTS = 30;
/** What an act sets off is done by then. */
const REST_MS = 80;

export function measureInput(browser: Browser, url: string): Promise<InputCosts> {
  return onPage(browser, url, async (page) => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Profiler.enable');
    await devtools.send('Profiler.setSamplingInterval', { interval: 100 });
    // What loading the page left behind would be tidied up within some act that did not make it.
    await devtools.send('HeapProfiler.collectGarbage');
    const each = async (act: (turn: number) => Promise<void>) => {
      const costs: number[] = [];
      for (let turn = 0; turn < ACTS; turn++) costs.push(await scriptMsOf(devtools, page, () => act(turn)));
      return costs;
    };
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

/** Samples of the engine that fell into script or into tidying up after it: also what runs in microtasks. */
async function scriptMsOf(devtools: CDPSession, page: Page, act: () => Promise<void>): Promise<number> {
  await devtools.send('Profiler.start');
  await act();
  await page.waitForTimeout(REST_MS);
  const { profile } = await devtools.send('Profiler.stop');
  const OTHERS = ['(idle)', '(program)', '(root)'];
  const script = new Set(
    profile.nodes.filter(({ callFrame }) => !OTHERS.includes(callFrame.functionName)).map(({ id }) => id),
  );
  const deltas = profile.timeDeltas ?? [];
  const us = (profile.samples ?? []).reduce((sum, id, at) => sum + (script.has(id) ? (deltas[at + 1] ?? 0) : 0), 0);
  return us / 1000;
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

/** Points all over it, those that follow one another far apart. */
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
