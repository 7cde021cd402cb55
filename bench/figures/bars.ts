/** What a figure of a bench must not exceed (`max`) or fall below (`min`). */
export type Bar = { max: number } | { min: number };

const TEN_MILLION = 10_000_000;

/**
 * The speed of a scan compared with redis-cli --bigkeys (from connect to the sealed file) and with the bare channel
 * (while it reads). Both differ between machines by a factor of two, so these bars hold on a slow one. `sealSeconds`
 * is for a million keys.
 */
export const SCAN_BARS = {
  ratioBasic: { min: 2.5 },
  ratioFull: { min: 2 },
  floorShare: { min: 0.65 },
  sealSeconds: { max: 2 },
  bytesPerKey: { max: 12 },
  peakRssMiB: { max: 512 },
} as const;

/** A worker seals and sums up; beyond ten million keys DuckDB uses all of its gigabyte. */
const workerMiB = (keys: number) => ({ max: keys > TEN_MILLION ? 1536 : 768 });

/**
 * Answers from sums take the same time at any number of keys; what only the keys can tell takes a second for each ten
 * million of them.
 */
export const reportsBars = (keys: number) =>
  ({
    warmP95Ms: { max: 150 },
    filteredP95Ms: { max: 150 },
    rowsP95Ms: { max: Math.max(1000, keys / 10_000) },
    bytesPerKey: { max: 12 },
    rollupMiB: { max: 4 },
    peakRssMiB: { max: 512 },
    workerPeakRssMiB: workerMiB(keys),
  }) as const;

/** What is measured only by a run that has sealed the snapshot itself. */
export const sealingBars = (keys: number) =>
  ({ readySeconds: { max: keys > TEN_MILLION ? 720 : 60 }, diskPeakBytesPerKey: { max: 70 } }) as const;

/** Where nothing groups: that it fits, and is kept in as little. */
export const SPACE_BARS = {
  rollupMiB: { max: 4 },
  peakRssMiB: { max: 512 },
  workerPeakRssMiB: workerMiB(TEN_MILLION),
} as const;

/** Seconds of the pass over all keys, which a changed profile needs as well. */
export const rulesBars = (keys: number) =>
  ({
    seconds: { max: keys > TEN_MILLION ? 150 : 15 },
    changedNameRuleSeconds: { max: keys > TEN_MILLION ? 150 : 15 },
    routeP95Ms: { max: 150 },
    peakRssMiB: workerMiB(keys),
  }) as const;

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
