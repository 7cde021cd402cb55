import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { findBreak } from '@/lib/model/snapshots/trend-breaks';
import type {
  Dimension,
  GrowingQuery,
  GrowingReport,
  GrowingRow,
  Measure,
  TrendPoint,
  TrendScan,
} from '@/lib/model/snapshots/trends';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { getPolicyThresholds } from '@/lib/rules/policy/policy-thresholds';
import { listTrendScans, readPoints, readPointsAt } from '@/lib/store/trends/trends';
import { listComparable } from './compare-points';
import { forecastLimit, measureGrowth } from './forecast';

const MAX_ROWS = 100;
/** Only prefixes have a number of keys, and only single keys one of elements. */
const DIMS: Record<GrowingQuery['by'], readonly Dimension[]> = {
  bytes: ['prefix', 'key'],
  keys: ['prefix'],
  elements: ['key'],
};

type Candidate = GrowingRow & { seriesId: number; point: TrendPoint };

/**
 * Returns the keys and prefixes that grew most between the last two comparable scans, with their growth per day. A key
 * or prefix that has no value in one of the two is not listed, because its growth is unknown. Errors: `not_found`.
 */
export const listGrowing = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (_actor: Actor, instanceId: string, { by }: GrowingQuery): Promise<GrowingReport> => {
    const scans = await listTrendScans(instanceId);
    const newest = scans.at(-1);
    const previous = newest && scans.slice(0, -1).findLast((scan) => findBreak(scan, newest, by) === null);
    if (newest === undefined || previous === undefined) return { between: null, rows: [] };
    const candidates = await listCandidates(instanceId, [previous, newest], by);
    const grown = candidates.sort((a, b) => b.change - a.change || (a.key < b.key ? -1 : 1));
    const limit = by === 'elements' ? getPolicyThresholds(await getEffectivePolicy(instanceId)).elements : null;
    const rows: GrowingRow[] = [];
    for (const candidate of grown.slice(0, MAX_ROWS)) {
      const { seriesId, point: _, ...row } = candidate;
      const points = listComparable(await readPoints(seriesId), scans, by);
      const growth = measureGrowth(points);
      const forecast = limit === null ? null : forecastLimit(points, limit);
      rows.push({
        ...row,
        perDay: growth && { low: growth.low, high: growth.high },
        reaches: forecast && { ...forecast, limit: limit! },
      });
    }
    return { between: { from: previous.at, to: newest.at }, rows };
  },
);

async function listCandidates(
  instanceId: string,
  [from, to]: [TrendScan, TrendScan],
  by: Measure & GrowingQuery['by'],
): Promise<Candidate[]> {
  const readAt = ({ at }: TrendScan) => readPointsAt(instanceId, at, DIMS[by]);
  const before = new Map((await readAt(from)).map(({ seriesId, point }) => [seriesId, point[by]]));
  const grown = (await readAt(to)).flatMap(({ dim, key, seriesId, point }): Candidate[] => {
    const [earlier, later] = [before.get(seriesId), point[by]];
    if (earlier == null || later === null || later <= earlier) return [];
    const change = later - earlier;
    const kind = dim as GrowingRow['dim'];
    return [{ dim: kind, key, before: earlier, after: later, change, perDay: null, reaches: null, seriesId, point }];
  });
  return dropRepeated(grown);
}

/** Leaves out prefixes with the same numbers as a longer one: all of their keys are below that one. */
function dropRepeated(rows: readonly Candidate[]): Candidate[] {
  const prefixes = rows.filter(({ dim }) => dim === 'prefix');
  const isRepeated = ({ dim, key, point }: Candidate) =>
    dim === 'prefix' &&
    prefixes.some(
      (other) =>
        other.key.length > key.length &&
        other.key.startsWith(key) &&
        other.point.keys === point.keys &&
        other.point.bytes === point.bytes,
    );
  return rows.filter((row) => !isRepeated(row));
}
