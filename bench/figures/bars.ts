/** The limit for a figure of a bench: at most `max`, or at least `min`. */
export type Bar = { max: number } | { min: number };

const TEN_MILLION = 10_000_000;

/**
 * Limits for the speed of a scan compared with redis-cli --bigkeys (from connect to the sealed file) and with the bare
 * channel (while it reads). Both differ between machines by a factor of two, so these limits hold on a slow one.
 * `sealSeconds` applies to a million keys.
 */
export const SCAN_BARS = {
  ratioBasic: { min: 2.5 },
  ratioFull: { min: 2 },
  floorShare: { min: 0.65 },
  sealSeconds: { max: 2 },
  bytesPerKey: { max: 12 },
  peakRssMiB: { max: 512 },
} as const;

/**
 * Limit for the memory of a worker that seals and computes the roll-up; beyond ten million keys DuckDB uses all of its
 * gigabyte.
 */
const workerMiB = (keys: number) => ({ max: keys > TEN_MILLION ? 1536 : 768 });

/**
 * Limits for reports. Answers from the roll-up take the same time for any number of keys; answers that need the keys
 * take a second for each ten million of them.
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

/** Limits for figures that exist only if the run itself has sealed the snapshot. */
export const sealingBars = (keys: number) =>
  ({ readySeconds: { max: keys > TEN_MILLION ? 720 : 60 }, diskPeakBytesPerKey: { max: 70 } }) as const;

/** Limits for keyspaces in which nothing groups: the roll-up must fit and stay as small as for others. */
export const SPACE_BARS = {
  rollupMiB: { max: 4 },
  peakRssMiB: { max: 512 },
  workerPeakRssMiB: workerMiB(TEN_MILLION),
} as const;

/** Limits for the pass over all keys, in seconds; a changed profile needs it as well. */
export const rulesBars = (keys: number) =>
  ({
    seconds: { max: keys > TEN_MILLION ? 150 : 15 },
    changedNameRuleSeconds: { max: keys > TEN_MILLION ? 150 : 15 },
    routeP95Ms: { max: 150 },
    peakRssMiB: workerMiB(keys),
  }) as const;

/**
 * Returns one sentence for each missed limit; empty if none is missed. A figure that was not measured counts as missed.
 */
export function findMissedBars<Name extends string>(
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
