import { percentile } from '../figures/percentile';
import type { InputCosts } from './measure-input';
import type { Visit } from './measure-visit';
import type { PageFigures } from './page-bars';
import { ASKED_BY_BROWSER } from './pages-to-visit';

/** Everything measured with one build, for each page and round. */
export interface Measured {
  visits: { page: string; visit: Visit }[];
  /** `path` matters because a page may be reached in several ways. */
  drills: { page: string; path: string; ms: number }[];
  inputs: { page: string; costs: InputCosts }[];
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * Returns the median of the rounds, the slower of two ways into a level, and the 95th percentile of all hovers and key
 * presses.
 */
export function makeFigures({ visits, drills, inputs }: Measured): Record<string, PageFigures> {
  return Object.fromEntries(
    [...new Set(visits.map(({ page }) => page))].map((page): [string, PageFigures] => {
      const own = <T extends { page: string }>(list: readonly T[]) => list.filter((one) => one.page === page);
      const of = own(visits).map(({ visit }) => visit);
      const middle = (read: (visit: Visit) => number) => median(of.map(read)) ?? null;
      const ways = new Set(own(drills).map(({ path }) => path));
      const readMs = (way: string) => own(drills).flatMap(({ path, ms }) => (path === way ? [ms] : []));
      const wayMs = [...ways].map((way) => median(readMs(way)) ?? 0);
      const p95 = (kind: keyof InputCosts) => {
        const ms = percentile(
          own(inputs).flatMap(({ costs }) => costs[kind]),
          0.95,
        );
        return ms === null ? null : Math.ceil(ms * 10) / 10;
      };
      return [
        page,
        {
          firstHtmlHasContent: ASKED_BY_BROWSER.has(page) ? null : of.every((visit) => visit.firstHtmlHasContent),
          scriptGzipKiB: middle((visit) => visit.scriptGzipKiB),
          cpuMsPerVisit: middle((visit) => visit.cpuMs),
          drillDownMs: wayMs.length === 0 ? null : Math.max(...wayMs),
          // The maximum counts, because no visit may have a long task.
          longTasksOver100ms: of.length === 0 ? null : Math.max(...of.map((visit) => visit.longTasksOver100ms)),
          domNodes: middle((visit) => visit.domNodes),
          hoverRowMs: p95('hoverRowMs'),
          hoverTileMs: p95('hoverTileMs'),
          arrowKeyMs: p95('arrowKeyMs'),
        },
      ];
    }),
  );
}
