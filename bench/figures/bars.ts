/** What a figure of a bench must not exceed (`max`) or fall below (`min`). */
export type Bar = { max: number } | { min: number };

/** Against redis-cli --bigkeys, and against the bare channel, in the same run. */
export const SCAN_BARS = {
  ratioBasic: { min: 6 },
  ratioFull: { min: 4.5 },
  floorShare: { min: 0.85 },
  bytesPerKey: { max: 12 },
  peakRssMiB: { max: 512 },
} as const;

/** The same at any number of keys: what a larger snapshot misses it names. */
export const REPORTS_BARS = {
  warmP95Ms: { max: 150 },
  filteredP95Ms: { max: 150 },
  rowsP95Ms: { max: 2000 },
  bytesPerKey: { max: 12 },
  rollupMiB: { max: 4 },
  peakRssMiB: { max: 512 },
  workerPeakRssMiB: { max: 512 },
} as const;

/** Where nothing groups: that it fits, and is kept in as little. */
export const SPACE_BARS = {
  rollupMiB: { max: 4 },
  peakRssMiB: { max: 512 },
  workerPeakRssMiB: { max: 512 },
} as const;

export const RULES_BARS = { routeP95Ms: { max: 150 }, peakRssMiB: { max: 512 } } as const;

/** The bars that a run has missed, in words; empty: none. What was not measured is missed. */
export function missedBarsOf<Name extends string>(
  bars: Readonly<Record<Name, Bar>>,
  figures: Readonly<Record<NoInfer<Name>, number | null>>,
): string[] {
  return (Object.entries(bars) as [Name, Bar][]).flatMap(([name, bar]) => {
    const figure = figures[name];
    if (figure === null || Number.isNaN(figure)) return [`${name}: not measured`];
    if ('max' in bar) return figure > bar.max ? [`${name}: ${figure} (bar ${bar.max})`] : [];
    return figure < bar.min ? [`${name}: ${figure} (bar ${bar.min})`] : [];
  });
}
