import type { EffectivePolicy } from '@/lib/model/rules/policy';
import type { ServerAudit } from '@/lib/model/servers/server-audit';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { type Dimension, MAX_SERIES_KEY, type Measure, type TrendScan } from '@/lib/model/snapshots/trends';
import { readFindings } from '@/lib/rules/findings/read-findings';
import { rollUpSoon } from '@/lib/rules/findings/roll-up-soon';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { getPolicyThresholds } from '@/lib/rules/policy/policy-thresholds';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { readServerFile } from '@/lib/snapshots/folder/server-file';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { bringKeys } from '@/lib/snapshots/remote/bring-snapshot';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { type PathSum, sumPaths } from '@/lib/snapshots/reports/sum-paths';
import type { StoreEvent } from '@/lib/store/events';
import { getInstanceRow, type InstanceRow } from '@/lib/store/instances';
import { runTransaction } from '@/lib/store/open-store';
import { getSnapshotRow } from '@/lib/store/snapshots';
import {
  listSeries,
  type ScanPoint,
  type StoredSeries,
  thinOutPoints,
  writeScanPoints,
} from '@/lib/store/trends/trends';

const DAY_MS = 86_400_000;
/** After this time only one point per week is kept of everything but totals. */
const DETAIL_MS = 180 * DAY_MS;
/** How long a series gets points after it has left the largest. */
const AFTER_TOP_MS = 90 * DAY_MS;

const TOP_PREFIXES = 200;
const TOP_TEMPLATES = 500;
/** Prefixes of more segments get points only while they are pinned. */
const PREFIX_DEPTH = 3;
/** So many keys by memory, and so many collections by elements. */
const TOP_KEYS = 100;
const COLLECTIONS = ['hash', 'list', 'set', 'zset', 'stream'];

/**
 * Adds the points of a snapshot to the series of its instance when it was evaluated. A partial snapshot, or one of a
 * part of the keyspace, adds none. Calling it again replaces the same points.
 */
export async function recordPoints(event: StoreEvent, signal: AbortSignal): Promise<void> {
  if (event.kind !== 'snapshot.evaluated' || event.instanceId === null) return;
  const { subject: id, instanceId } = event;
  const [row, instance, policy] = [
    await getSnapshotRow(id),
    await getInstanceRow(instanceId),
    await getEffectivePolicy(instanceId),
  ];
  if (row === null || instance === null || row.state !== 'sealed' || row.partial || row.isPart) return;
  // The policy has changed since. The snapshot is evaluated again, and that event adds the points.
  if (policy.hash !== event.details.policyHash) return;
  await bringKeys(id, { signal, maxWaitMs: null });
  // Prefixes and templates are read from the roll-up. It exists, unless it was lost.
  await rollUpSoon(id);
  const dir = getSnapshotFolder(id);
  const manifest = await readManifest(dir);
  const kept = await listSeries(instanceId, ['prefix', 'template']);
  const points = await collectPoints({ dir, manifest, signal }, policy, kept);
  await runTransaction(async (tx) => {
    // The instance may have been removed meanwhile.
    if ((await getInstanceRow(instanceId, tx)) === null) return;
    await writeScanPoints(instanceId, describeScan(manifest, policy, instance), points, tx);
    const { startedAt } = manifest;
    await thinOutPoints(instanceId, { detailUntil: startedAt - DETAIL_MS, topUntil: startedAt - AFTER_TOP_MS }, tx);
  });
}

const describeScan = (
  { id, startedAt, options, maxmemoryPolicy }: SnapshotManifest,
  policy: EffectivePolicy,
  { settings }: Pick<InstanceRow, 'settings'>,
): TrendScan => ({
  at: startedAt,
  snapshotId: id,
  policyHash: policy.hash,
  databases: settings.databases?.toSorted((a, b) => a - b).join(',') ?? null,
  coverage: `${options.facts}/${options.counts}`,
  maxmemoryPolicy,
});

async function collectPoints(
  ref: SnapshotRef,
  policy: EffectivePolicy,
  kept: readonly StoredSeries[],
): Promise<ScanPoint[]> {
  const points: ScanPoint[] = [];
  const add = (dim: Dimension, key: string, values: ScanPoint['values'], top = true) => {
    // An index of PostgreSQL refuses longer texts.
    if (Buffer.byteLength(key) > MAX_SERIES_KEY) return;
    points.push({ dim, key, values: roundValues(values), top });
  };
  const { signal, manifest } = ref;
  const ruled = { ...ref, bigkeys: getPolicyThresholds(policy) };
  const limits = { signal };
  const findings = await readFindings(ref, policy, {}, signal);
  const { report: overview } = await runReport(ruled, 'overview', {}, limits);
  const nodes = await readNodes(ref);
  add('total', '', {
    keys: overview.keys,
    bytes: findings.total.bytes,
    noExpiry: overview.expiry.unknown > 0 ? null : overview.expiry.none,
    bigkeys: overview.bigkeys,
    found: findings.mandatory.keys,
    score: findings.score.score,
    usedBytes: manifest.usedMemoryBytes,
    maxBytes: sumLimits(nodes.map(({ maxBytes }) => maxBytes)),
  });
  for (const { address, usedBytes, maxBytes } of nodes) add('node', address, { usedBytes, maxBytes });
  for (const { rule, keys, bytes, status, server } of findings.rules)
    add('rule', rule, { found: status === 'unknown' ? null : (keys ?? server?.evidence.length ?? null), bytes });
  for (const { team, keys, bytes, mandatory, score } of findings.owners)
    add('team', team ?? '', { keys, bytes, found: mandatory.keys, score });
  await addPaths(ruled, kept, add);
  for (const [key, values] of await readLargestKeys(ruled)) add('key', key, values);
  return points;
}

/** The masters, or all nodes if none is known. Without the file of the servers their memory is unknown. */
async function readNodes({ dir, manifest }: SnapshotRef) {
  const audit: ServerAudit | null = await readServerFile({ dir, manifest }).catch(() => null);
  const nodes = audit?.nodes ?? [];
  const masters = nodes.filter(({ role }) => role === 'master');
  return (masters.length > 0 ? masters : nodes).map(({ address, memory }) => ({
    address,
    usedBytes: memory.usedBytes,
    maxBytes: memory.maxBytes,
  }));
}

/** The largest prefixes and templates, those that were among the largest recently, and those that are pinned. */
async function addPaths(
  ref: SnapshotRef,
  kept: readonly StoredSeries[],
  add: (dim: Dimension, key: string, values: ScanPoint['values'], top: boolean) => void,
): Promise<void> {
  const sums = await sumPaths(ref, PREFIX_DEPTH, { signal: ref.signal });
  const parts = [
    { dim: 'prefix' as const, found: sums?.prefixes, top: TOP_PREFIXES },
    { dim: 'template' as const, found: sums?.templates, top: TOP_TEMPLATES },
  ];
  for (const { dim, found = new Map<string, PathSum>(), top } of parts) {
    const largest = [...found].sort(([, a], [, b]) => (b.bytes ?? 0) - (a.bytes ?? 0) || b.keys - a.keys).slice(0, top);
    for (const [label, sum] of largest) add(dim, label, { ...sum }, true);
    const added = new Set(largest.map(([label]) => label));
    for (const series of kept) {
      if (series.dim !== dim || added.has(series.key)) continue;
      const sum = found.get(series.key);
      if (sum) add(dim, series.key, { ...sum }, false);
      else if (series.pinnedAt !== null) add(dim, series.key, await sumPinned(ref, series), false);
      // If no level was cut, a prefix that is not in the sums has no keys. Otherwise it is unknown.
      else if (sums !== null && !sums.isCut)
        add(dim, series.key, { keys: 0, bytes: 0, noExpiry: 0, bigkeys: 0 }, false);
    }
  }
}

/** Asks for a pinned path that the sums do not have: it is longer, below a level that was cut, or without keys. */
async function sumPinned(ref: SnapshotRef, { dim, key }: StoredSeries): Promise<ScanPoint['values']> {
  const query = { template: key, ...(dim === 'template' && { exact: true }) };
  const { report } = await runReport(ref, 'overview', query, { signal: ref.signal });
  const { keys, bytes, bytesUnknown, expiry, bigkeys } = report;
  return {
    keys,
    bytes: keys > 0 && bytesUnknown === keys ? null : bytes,
    noExpiry: expiry.unknown > 0 ? null : expiry.none,
    bigkeys,
  };
}

/** The largest keys by memory and the collections with most elements, by database and id. */
async function readLargestKeys(ref: SnapshotRef): Promise<Map<string, ScanPoint['values']>> {
  const found = new Map<string, ScanPoint['values']>();
  for (const query of [{ sort: '-bytes' }, { sort: '-length', type: COLLECTIONS }]) {
    const { report } = await runReport(ref, 'keys', { ...query, limit: TOP_KEYS }, { signal: ref.signal });
    for (const { db, k, bytes, length, type } of report.rows)
      if (k !== null) found.set(`${db}:${k}`, { bytes, elements: COLLECTIONS.includes(type ?? '') ? length : null });
  }
  return found;
}

/** 0 = some node has no limit; null = the limit of some node is unknown. */
function sumLimits(limits: readonly (number | null)[]): number | null {
  if (limits.length === 0 || limits.includes(null)) return null;
  return limits.includes(0) ? 0 : limits.reduce<number>((sum, limit) => sum + limit!, 0);
}

/** Sums of DuckDB are doubles, and columns are whole numbers. */
const roundValues = (values: ScanPoint['values']): ScanPoint['values'] =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value == null || (name as Measure) === 'score' ? (value ?? null) : Math.round(value),
    ]),
  );
