import type { BreakReason, Measure, TrendPoint, TrendScan } from './trends';

/** Measures that depend on the policy: its rules, its owners, its thresholds of bigkeys. */
const OF_POLICY: ReadonlySet<Measure> = new Set<Measure>(['score', 'found', 'bigkeys']);
/** Measures that need facts which only some scans read: encodings, element counts. */
const OF_COVERAGE: ReadonlySet<Measure> = new Set<Measure>(['score', 'found', 'bigkeys', 'elements']);
/** Measures of the server, which no scan and no policy changes. */
const OF_SERVER: ReadonlySet<Measure> = new Set<Measure>(['usedBytes', 'maxBytes']);

type Conditions = Pick<TrendScan, 'databases' | 'coverage' | 'policyHash'>;

/** Returns why a measure of two scans cannot be compared; null = it can. */
export function findBreak(a: Conditions, b: Conditions, measure: Measure): BreakReason | null {
  if (OF_SERVER.has(measure)) return null;
  if (a.databases !== b.databases) return 'databases';
  if (a.coverage !== b.coverage && OF_COVERAGE.has(measure)) return 'coverage';
  return a.policyHash !== b.policyHash && OF_POLICY.has(measure) ? 'policy' : null;
}

/** One value of a line. `breaks`: why it cannot be compared with the value before; null = it can. */
export interface LinePoint {
  at: number;
  value: number | null;
  breaks: BreakReason | null;
}

/**
 * Returns a measure of a series as a line, oldest first. It begins with the first point of the series; a scan without a
 * point of it is unknown.
 */
export function toLine(scans: readonly TrendScan[], points: readonly TrendPoint[], measure: Measure): LinePoint[] {
  const byTime = new Map(points.map((point) => [point.at, point[measure]]));
  const shown = scans.filter(({ at }) => at >= (points[0]?.at ?? Number.POSITIVE_INFINITY));
  return shown.map((scan, i) => {
    const before = shown[i - 1];
    return {
      at: scan.at,
      value: byTime.get(scan.at) ?? null,
      breaks: before === undefined ? null : findBreak(before, scan, measure),
    };
  });
}
