import { expect, it } from 'vitest';
import { missedPageBars, PAGE_BARS, type PageFigures } from './page-bars';

const atTheBars: PageFigures = { firstHtmlHasContent: true, ...PAGE_BARS };

it('passes what is at its bars, and what is not measured on a page', () => {
  const unmeasured = { drillDownMs: null, hoverRowMs: null, hoverTileMs: null, arrowKeyMs: null };
  expect(missedPageBars({ tree: atTheBars, key: { ...atTheBars, ...unmeasured, firstHtmlHasContent: null } })).toEqual(
    [],
  );
});

it('lets a page with charts load the library that draws them', () => {
  const missed = (scriptGzipKiB: number) => missedPageBars({ ttl: { ...atTheBars, scriptGzipKiB } });
  expect([missed(380), missed(381)]).toEqual([[], ['ttl: scriptGzipKiB 381 (bar 380)']]);
});

it('names each page that misses a bar, with what was measured', () => {
  expect(missedPageBars({ tree: { ...atTheBars, firstHtmlHasContent: false } })).toEqual([
    'tree: no content in the first HTML',
  ]);
  for (const [figure, bar] of Object.entries(PAGE_BARS)) {
    const missed = missedPageBars({ fleet: atTheBars, tree: { ...atTheBars, [figure]: bar + 0.1 } });
    expect(missed).toEqual([`tree: ${figure} ${bar + 0.1} (bar ${bar})`]);
  }
});
