import { findBreak } from '@/lib/model/snapshots/trend-breaks';
import type { Measure, TrendPoint, TrendScan } from '@/lib/model/snapshots/trends';

/** Returns the points that are comparable with the newest one, oldest first: a forecast crosses no break. */
export function listComparable(
  points: readonly TrendPoint[],
  scans: readonly TrendScan[],
  measure: Measure,
): { at: number; value: number | null }[] {
  const byTime = new Map(scans.map((scan) => [scan.at, scan]));
  const newest = byTime.get(points.at(-1)?.at ?? 0);
  if (newest === undefined) return [];
  const isBroken = ({ at }: TrendPoint) => findBreak(byTime.get(at) ?? newest, newest, measure) !== null;
  const lastBroken = points.findLastIndex(isBroken);
  return points.slice(lastBroken + 1).map((point) => ({ at: point.at, value: point[measure] }));
}

/** Returns the changes of all measures that are known in both points and comparable. */
export function computeDeltas(
  before: { scan: TrendScan; point: TrendPoint },
  after: { scan: TrendScan; point: TrendPoint },
  measures: readonly Measure[],
): Partial<Record<Measure, number>> {
  return Object.fromEntries(
    measures.flatMap((measure) => {
      const [from, to] = [before.point[measure], after.point[measure]];
      if (from === null || to === null || findBreak(before.scan, after.scan, measure) !== null) return [];
      return [[measure, to - from]];
    }),
  );
}
