import { PAGE_BARS, type PageFigures } from './page-bars';

type Ratios = Partial<Record<keyof typeof PAGE_BARS, number>>;

/**
 * Returns the earlier figure divided by the present one: 2 = half as much now. Only for figures that both have; never
 * divides by zero.
 */
export function pageRatios(
  now: Readonly<Record<string, PageFigures>>,
  before: Readonly<Record<string, PageFigures>>,
): Record<string, Ratios> {
  const names = Object.keys(PAGE_BARS) as (keyof typeof PAGE_BARS)[];
  return Object.fromEntries(
    Object.entries(now).flatMap(([page, figures]) => {
      const other = before[page];
      if (other === undefined) return [];
      const ratios: Ratios = {};
      for (const name of names) {
        const [a, b] = [figures[name], other[name]];
        if (a !== null && b !== null && a > 0) ratios[name] = Math.round((b / a) * 100) / 100;
      }
      return [[page, ratios]];
    }),
  );
}
