/** What a figure of a bench must not exceed (`max`) or fall below (`min`). */
export type Bar = { max: number } | { min: number };

const TEN_MILLION = 10_000_000;

/**
 * Against redis-cli --bigkeys from connect to sealed file; against the bare channel while reading. Where redis-cli
 * takes 31 s for a million keys and the bare channel 4.3 s, a scan that just meets both seals for two seconds: its own
 * bar.
 */
export const SCAN_BARS = {
  ratioBasic: { min: 6 },
  ratioFull: { min: 4.5 },
  floorShare: { min: 0.85 },
  sealSeconds: { max: 2 },
  bytesPerKey: { max: 12 },
  peakRssMiB: { max: 512 },
} as const;

const UP_TO_10M = { warmP95Ms: { max: 60 }, filteredP95Ms: { max: 100 }, rowsP95Ms: { max: 1000 } } as const;
const BEYOND = { warmP95Ms: { max: 100 }, filteredP95Ms: { max: 150 }, rowsP95Ms: { max: 2000 } } as const;

/** Of answers, up to ten million keys and beyond; of space the same at any number of keys. */
export const reportsBars = (keys: number) =>
  ({
    ...(keys > TEN_MILLION ? BEYOND : UP_TO_10M),
    bytesPerKey: { max: 12 },
    rollupMiB: { max: 4 },
    peakRssMiB: { max: 512 },
    workerPeakRssMiB: { max: 512 },
  }) as const;

/** What is measured only by a run that has sealed the snapshot itself. */
export const sealingBars = (keys: number) =>
  ({ readySeconds: { max: keys > TEN_MILLION ? 800 : 60 }, diskPeakBytesPerKey: { max: 70 } }) as const;

/** Where nothing groups: that it fits, and is kept in as little. */
export const SPACE_BARS = {
  rollupMiB: { max: 4 },
  peakRssMiB: { max: 512 },
  workerPeakRssMiB: { max: 512 },
} as const;

/** Seconds of the pass over all keys, and after a change of a rule about names. */
export const rulesBars = (keys: number) =>
  ({
    seconds: { max: keys > TEN_MILLION ? 35 : 3 },
    changedNameRuleSeconds: { max: 0.5 },
    routeP95Ms: { max: 150 },
    peakRssMiB: { max: 512 },
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
