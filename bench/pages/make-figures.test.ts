import { expect, it } from 'vitest';
import { makeFigures } from './make-figures';

const visit = (cpuMs: number, firstHtmlHasContent = true) => ({
  firstHtmlHasContent,
  scriptGzipKiB: 100,
  cpuMs,
  longTasksOver100ms: 0,
  domNodes: 900,
});

it('takes the middle round, the slower way into a level, and what 95 % of hovers do not exceed', () => {
  const hovers = Array.from({ length: 40 }, (_, i) => i + 0.01);
  const costs = { hoverRowMs: hovers, hoverTileMs: [3], arrowKeyMs: [5, 4] };
  const figures = makeFigures({
    visits: [90, 500, 100].map((cpuMs) => ({ page: 'wideLevel', visit: visit(cpuMs) })),
    drills: [
      ...[30, 10, 20].map((ms) => ({ page: 'wideLevel', path: 'from above', ms })),
      ...[70, 50, 900].map((ms) => ({ page: 'wideLevel', path: 'from within', ms })),
    ],
    inputs: [{ page: 'wideLevel', costs }],
  });
  expect(figures).toEqual({
    wideLevel: {
      firstHtmlHasContent: true,
      scriptGzipKiB: 100,
      cpuMsPerVisit: 100,
      drillDownMs: 70,
      longTasksOver100ms: 0,
      domNodes: 900,
      hoverRowMs: 37.1,
      hoverTileMs: 3,
      arrowKeyMs: 5,
    },
  });
});

it('leaves open what was not measured on a page, and the first HTML of one that asks from the browser', () => {
  const figures = makeFigures({
    visits: [
      { page: 'fleet', visit: visit(1) },
      { page: 'fleet', visit: visit(1, false) },
      { page: 'edit', visit: visit(1, false) },
    ],
    drills: [],
    inputs: [],
  });
  expect(figures.fleet).toMatchObject({ firstHtmlHasContent: false, drillDownMs: null, hoverRowMs: null });
  expect(figures.edit).toMatchObject({ firstHtmlHasContent: null });
});
