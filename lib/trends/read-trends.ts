import { verb } from '@/lib/access/auth/verb';
import { createVisibilityFilter, scopeToInstance, scopeToOwn, scopeToSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import {
  type FleetDeltas,
  type InstanceTrends,
  MEASURES,
  type MemoryForecast,
  type SeriesQuery,
  type SnapshotDeltas,
  type TrendScan,
  type TrendSeries,
} from '@/lib/model/snapshots/trends';
import { getInstanceRow } from '@/lib/store/instances';
import {
  findSeries,
  findTrendScan,
  listNewestTotals,
  listSeries,
  listTrendScans,
  readPoints,
  readPointsAt,
  type StoredSeries,
} from '@/lib/store/trends/trends';
import { computeDeltas, listComparable } from './compare-points';
import { forecastLimit } from './forecast';

async function requireInstance(id: string): Promise<void> {
  if ((await getInstanceRow(id)) === null) throw new AppError('not_found', 'There is no such instance.', { id });
}

const readSeries = async ({ id, dim, key, pinnedAt }: StoredSeries): Promise<TrendSeries> => ({
  dim,
  key,
  pinned: pinnedAt !== null,
  points: await readPoints(id),
});

/** Returns the totals of an instance over time, its pinned series, and when its memory is used up. Errors: `not_found`. */
export const getTrends = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (_actor: Actor, instanceId: string): Promise<InstanceTrends> => {
    await requireInstance(instanceId);
    const scans = await listTrendScans(instanceId);
    const [total] = await listSeries(instanceId, ['total']);
    const pinned = (await listSeries(instanceId, ['prefix', 'template'])).filter(({ pinnedAt }) => pinnedAt !== null);
    return {
      scans,
      total: total === undefined ? [] : await readPoints(total.id),
      pinned: await Promise.all(pinned.map(readSeries)),
      memory: await forecastMemory(instanceId, scans),
    };
  },
);

/** Returns one series with its scans. A series that never had a point has none. Errors: `not_found`. */
export const getTrendSeries = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (
    _actor: Actor,
    instanceId: string,
    { dim, key }: SeriesQuery,
  ): Promise<{ scans: TrendScan[]; series: TrendSeries }> => {
    await requireInstance(instanceId);
    const found = await findSeries(instanceId, { dim, key });
    return {
      scans: await listTrendScans(instanceId),
      series: found === null ? { dim, key, pinned: false, points: [] } : await readSeries(found),
    };
  },
);

/** Says when the first of the nodes reaches its maxmemory: in a cluster the fullest node decides. */
async function forecastMemory(instanceId: string, scans: readonly TrendScan[]): Promise<MemoryForecast | null> {
  const newest = scans.at(-1);
  if (newest === undefined) return null;
  const policy = newest.maxmemoryPolicy;
  const outcome = policy === null ? null : policy === 'noeviction' ? 'refusals' : 'evictions';
  const found: MemoryForecast[] = [];
  for (const { id, key: address } of await listSeries(instanceId, ['node'])) {
    const points = await readPoints(id);
    const last = points.at(-1);
    // A node that the newest scan did not see may be gone. 0 = the node has no limit.
    if (last?.at !== newest.at || !last.maxBytes) continue;
    const forecast = forecastLimit(listComparable(points, scans, 'usedBytes'), last.maxBytes);
    if (forecast !== null) found.push({ ...forecast, address, limitBytes: last.maxBytes, outcome });
  }
  return found.sort((a, b) => a.from - b.from)[0] ?? null;
}

/**
 * Returns by how much the numbers of a snapshot changed since the scan before. Numbers that are unknown in one of the
 * two, or not comparable, are left out.
 */
export const getDeltas = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (_actor: Actor, snapshotId: string): Promise<SnapshotDeltas> => {
    const deltas: SnapshotDeltas = { since: null, total: {}, rules: {}, teams: {} };
    const found = await findTrendScan(snapshotId);
    if (found === null) return deltas;
    const scans = await listTrendScans(found.instanceId);
    const index = scans.findIndex(({ at }) => at === found.scan.at);
    const [previous, scan] = [scans[index - 1], scans[index]!];
    if (previous === undefined) return deltas;
    const readAt = ({ at }: TrendScan) => readPointsAt(found.instanceId, at, ['total', 'rule', 'team']);
    const before = new Map((await readAt(previous)).map(({ seriesId, point }) => [seriesId, point]));
    for (const { dim, key, seriesId, point } of await readAt(scan)) {
      const earlier = before.get(seriesId);
      if (earlier === undefined) continue;
      const changes = computeDeltas({ scan: previous, point: earlier }, { scan, point }, MEASURES);
      if (dim === 'total') deltas.total = changes;
      else if (dim === 'team') deltas.teams[key] = changes;
      else if (changes.found !== undefined) deltas.rules[key] = changes.found;
    }
    return { ...deltas, since: previous.at };
  },
);

/** Returns by how much the totals of each visible instance changed between its two newest scans. */
export const getFleetDeltas = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor): Promise<FleetDeltas> => {
    const sees = await createVisibilityFilter(actor);
    const deltas: FleetDeltas = {};
    const newest = await listNewestTotals();
    for (const [i, after] of newest.entries()) {
      const before = newest[i + 1];
      if (before?.instanceId !== after.instanceId || !sees(after.instanceId)) continue;
      deltas[after.instanceId] = { since: before.scan.at, total: computeDeltas(before, after, MEASURES) };
    }
    return deltas;
  },
);
