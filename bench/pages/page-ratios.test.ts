import { expect, it } from 'vitest';
import type { PageFigures } from './page-bars';
import { pageRatios } from './page-ratios';

const NONE: PageFigures = {
  firstHtmlHasContent: true,
  scriptGzipKiB: null,
  cpuMsPerVisit: null,
  drillDownMs: null,
  longTasksOver100ms: null,
  domNodes: null,
  hoverRowMs: null,
  hoverTileMs: null,
  arrowKeyMs: null,
};

it('divides what both builds have', () => {
  const now = {
    tree: { ...NONE, cpuMsPerVisit: 250, drillDownMs: 100, longTasksOver100ms: 0 },
    users: { ...NONE, cpuMsPerVisit: 90 },
  };
  const before = { tree: { ...NONE, cpuMsPerVisit: 1000, longTasksOver100ms: 3 } };
  expect(pageRatios(now, before)).toEqual({ tree: { cpuMsPerVisit: 4 } });
});
