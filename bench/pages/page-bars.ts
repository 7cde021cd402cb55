import { WITH_CHARTS } from './pages-to-visit';

/** The costs of a page. null: not measured on this page. */
export interface PageFigures {
  /** null: the page shows one key, one deletion or a form and loads its data from the browser. */
  firstHtmlHasContent: boolean | null;
  scriptGzipKiB: number | null;
  cpuMsPerVisit: number | null;
  drillDownMs: number | null;
  longTasksOver100ms: number | null;
  domNodes: number | null;
  /** Script time of one hover or one key press, 95th percentile. */
  hoverRowMs: number | null;
  hoverTileMs: number | null;
  arrowKeyMs: number | null;
}

/** Limits for every page; besides, the first HTML must have its content. */
export const PAGE_BARS = {
  scriptGzipKiB: 250,
  cpuMsPerVisit: 300,
  drillDownMs: 300,
  longTasksOver100ms: 0,
  domNodes: 2500,
  hoverRowMs: 16,
  hoverTileMs: 16,
  arrowKeyMs: 16,
} as const;

/** Limit for pages with charts, which load the library that draws them. */
const SCRIPT_KIB_WITH_CHARTS = 380;
const findBar = (page: string, figure: keyof typeof PAGE_BARS): number =>
  figure === 'scriptGzipKiB' && WITH_CHARTS.has(page) ? SCRIPT_KIB_WITH_CHARTS : PAGE_BARS[figure];

/** Returns one sentence for each missed limit; empty if none is missed. */
export function missedPageBars(pages: Readonly<Record<string, PageFigures>>): string[] {
  const figures = Object.keys(PAGE_BARS) as (keyof typeof PAGE_BARS)[];
  return Object.entries(pages).flatMap(([page, measured]) => [
    ...(measured.firstHtmlHasContent === false ? [`${page}: no content in the first HTML`] : []),
    ...figures
      .filter((figure) => (measured[figure] ?? 0) > findBar(page, figure))
      .map((figure) => `${page}: ${figure} ${measured[figure]} (bar ${findBar(page, figure)})`),
  ]);
}
