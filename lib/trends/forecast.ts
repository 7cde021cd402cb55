import type { Forecast } from '@/lib/model/snapshots/trends';

const DAY_MS = 86_400_000;
/** Growth is measured over a week, because many keyspaces have a weekly rhythm. */
const WEEK_DAYS = 7;
/** A scan that was a day early or late, and a little more, still counts as one of a week ago. */
const TOLERANCE_DAYS = 1.1;
/** Only what happened recently says something about the next weeks. */
const LOOK_BACK_DAYS = 60;
/**
 * Number of days that the differences must cover. One step is in the differences of seven days, so with fewer than
 * fifteen it would be in half of them and look like growth.
 */
const MIN_DAYS = 15;
/** Below this share of growing differences the value is not called growing. */
const MIN_GROWING = 0.6;
/** Nothing is said about days that are farther away. */
const HORIZON_DAYS = 45;

/** A value at a time, epoch ms; null = unknown. */
export interface Measured {
  at: number;
  value: number | null;
}

/** Growth per day: the median, and the 40th and 80th percentile of what was measured. */
interface Growth {
  perDay: number;
  low: number;
  high: number;
}

/**
 * Returns the growth per day of a value; null = the value does not grow, or is known for too short. The points must be
 * comparable, oldest first.
 */
export function measureGrowth(points: readonly Measured[]): Growth | null {
  const last = points.at(-1);
  if (last === undefined) return null;
  const known = points.flatMap(({ at, value }) =>
    value === null || at < last.at - LOOK_BACK_DAYS * DAY_MS ? [] : [{ at, value }],
  );
  const rates = listWeeklyRates(known);
  const days = rates.length === 0 ? 0 : (rates.at(-1)!.at - rates[0]!.at) / DAY_MS + 1;
  const growing = rates.filter(({ perDay }) => perDay > 0).length;
  // Scans do not begin at the same second, so the last day may be a few minutes short.
  if (days < MIN_DAYS - 0.5 || growing < MIN_GROWING * rates.length) return null;
  const sorted = rates.map(({ perDay }) => perDay).sort((a, b) => a - b);
  const perDay = pickQuantile(sorted, 0.5);
  return perDay > 0 ? { perDay, low: pickQuantile(sorted, 0.4), high: pickQuantile(sorted, 0.8) } : null;
}

/**
 * Returns in how many days a growing value reaches a limit, as a range; null = it does not grow, is above the limit, or
 * reaches it too late for anything to be said. `to` is null if the end of the range is open.
 */
export function forecastLimit(points: readonly Measured[], limit: number): Forecast | null {
  const growth = measureGrowth(points);
  const newest = points.flatMap(({ value }) => value ?? []).slice(-3);
  if (growth === null || newest.length === 0) return null;
  const left =
    limit -
    pickQuantile(
      [...newest].sort((a, b) => a - b),
      0.5,
    );
  if (left <= 0 || left / growth.perDay > HORIZON_DAYS) return null;
  return {
    from: Math.floor(left / growth.high),
    to: growth.low > 0 ? Math.ceil(left / growth.low) : null,
    perDay: growth.perDay,
  };
}

/** Differences to the point that is nearest to a week earlier, per day. A point without one has none. */
function listWeeklyRates(points: readonly { at: number; value: number }[]): { at: number; perDay: number }[] {
  const tolerance = TOLERANCE_DAYS * DAY_MS;
  let first = 0;
  return points.flatMap(({ at, value }) => {
    const weekAgo = at - WEEK_DAYS * DAY_MS;
    while (points[first]!.at < weekAgo - tolerance) first++;
    let nearest: (typeof points)[number] | null = null;
    for (let i = first; points[i]!.at <= weekAgo + tolerance; i++)
      if (nearest === null || Math.abs(points[i]!.at - weekAgo) < Math.abs(nearest.at - weekAgo)) nearest = points[i]!;
    return nearest === null ? [] : [{ at, perDay: (value - nearest.value) / ((at - nearest.at) / DAY_MS) }];
  });
}

/** The value at a share (0…1) of a sorted list, between two neighbours where the share is between them. */
function pickQuantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const [lower, upper] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return lower + (upper - lower) * (at - Math.floor(at));
}
