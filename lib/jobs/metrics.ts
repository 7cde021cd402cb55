import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { listWorkers } from '@/lib/jobs/health';
import { SEVERITIES } from '@/lib/model/alerts/vocabulary';
import { JOB_STATES } from '@/lib/model/job-states';
import { findNewestSealed, type SnapshotSummary } from '@/lib/model/reports/fleet';
import type { TrendPoint } from '@/lib/model/snapshots/trends';
import { countAlerts } from '@/lib/store/alerts/alerts';
import { type InstanceRow, listInstanceRows } from '@/lib/store/instances';
import { countJobs } from '@/lib/store/jobs';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { listNewestTotals, readPointsAt } from '@/lib/store/trends/trends';

/** Made at first use, because the default metrics observe the event loop from then on. */
let cachedRegistry: Registry | null = null;
const getRegistry = (): Registry => (cachedRegistry ??= makeRegistry());

function makeRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const createGauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `colonnade_${name}`, help, labelNames, registers: [registry] });
  createGauge('jobs', 'Jobs by kind and state.', ['kind', 'state']);
  createGauge('instances', 'Registered instances.');
  createGauge('snapshots', 'Snapshots by state.', ['state']);
  createGauge('snapshot_bytes', 'Bytes of sealed snapshot files.');
  createGauge('engine_running_jobs', 'Jobs that run now.');
  createGauge('engine_last_sign_seconds', 'Unix time at which a process that runs jobs last gave a sign of life.');
  for (const [name, help] of Object.entries(SNAPSHOT_GAUGES)) createGauge(name, help, ['redis', 'environment']);
  createGauge('finding_keys', 'Keys with findings of a strength, in the newest snapshot of all keys.', [
    'redis',
    'environment',
    'strength',
  ]);
  createGauge(
    'rule_finding_keys',
    'Keys (of server rules: pieces of evidence) that violated a rule in the newest complete scan.',
    ['redis', 'environment', 'rule'],
  );
  createGauge('alerts_firing', 'Alerts that fire now.', ['severity']);
  return registry;
}

/** Facts of the newest snapshot of all keys of each instance. What is unknown has no sample. */
const SNAPSHOT_GAUGES = {
  snapshot_timestamp_seconds: 'Unix time at which the scan of the newest snapshot of all keys began.',
  snapshot_keys: 'Keys.',
  snapshot_memory_bytes: 'Sum of the memory of the keys.',
  snapshot_bigkeys: 'Bigkeys by the thresholds of the profile.',
  snapshot_no_expiry_keys: 'Keys without an expiry.',
  score_ratio: 'Score of the standards, 0 to 1.',
  redis_memory_used_bytes: 'Memory that the servers used when they were scanned.',
  redis_memory_limit_bytes: 'maxmemory of the servers; 0 = no limit.',
} as const;

/** `total`: the newest point of all keys in the trends; undefined = there is none. */
function readSnapshotGauges(
  row: SnapshotSummary,
  total: TrendPoint | undefined,
): Record<keyof typeof SNAPSHOT_GAUGES, number | null | undefined> {
  return {
    snapshot_timestamp_seconds: row.startedAt / 1000,
    snapshot_keys: row.keys,
    snapshot_memory_bytes: row.bytes,
    snapshot_bigkeys: row.bigkeys,
    snapshot_no_expiry_keys: row.noExpiryKeys,
    score_ratio: row.score == null ? null : row.score / 100,
    redis_memory_used_bytes: total?.usedBytes,
    redis_memory_limit_bytes: total?.maxBytes,
  };
}

/**
 * Returns the metrics as Prometheus text. What is in the store is counted at each request. The labels have names of
 * instances, and no names of keys or prefixes. Of one instance there are eleven series and one per rule that is on.
 */
export async function collectMetrics(): Promise<{ text: string; contentType: string }> {
  const registry = getRegistry();
  const gauge = (name: string) => registry.getSingleMetric(`colonnade_${name}`) as Gauge;
  const [jobs, instances, snapshots, { engine }, open] = await Promise.all([
    countJobs(),
    listInstanceRows(),
    listSnapshotRows(null),
    listWorkers(),
    countAlerts(undefined),
  ]);
  gauge('jobs').reset();
  for (const kind of new Set(jobs.map((row) => row.kind)))
    for (const state of JOB_STATES)
      gauge('jobs').set({ kind, state }, jobs.find((row) => row.kind === kind && row.state === state)?.jobs ?? 0);
  gauge('instances').set(instances.length);
  for (const state of ['live', 'sealed', 'cancelled', 'failed'] as const)
    gauge('snapshots').set({ state }, snapshots.filter((row) => row.state === state).length);
  gauge('snapshot_bytes').set(snapshots.reduce((sum, row) => sum + (row.fileBytes ?? 0), 0));
  gauge('engine_running_jobs').set(engine.running ?? 0);
  if (engine.lastSignAgoMs !== null) gauge('engine_last_sign_seconds').set((Date.now() - engine.lastSignAgoMs) / 1000);
  await setInstanceGauges(gauge, instances, snapshots);
  gauge('alerts_firing').reset();
  for (const severity of SEVERITIES) {
    const firing = open.find((row) => row.state === 'firing' && row.severity === severity);
    gauge('alerts_firing').set({ severity }, firing?.alerts ?? 0);
  }
  return { text: await registry.metrics(), contentType: registry.contentType };
}

async function setInstanceGauges(
  gauge: (name: string) => Gauge,
  instances: readonly InstanceRow[],
  snapshots: readonly SnapshotSummary[],
): Promise<void> {
  // An instance that was removed or renamed must not stay.
  for (const name of [...Object.keys(SNAPSHOT_GAUGES), 'finding_keys', 'rule_finding_keys']) gauge(name).reset();
  // Newest first.
  const totals = await listNewestTotals();
  for (const { id, settings } of instances) {
    const newest = findNewestSealed(snapshots.filter(({ instanceId }) => instanceId === id));
    if (!newest || newest.isPart) continue;
    const labels = { redis: settings.name, environment: settings.environment };
    const total = totals.find(({ instanceId }) => instanceId === id);
    for (const [name, value] of Object.entries(readSnapshotGauges(newest, total?.point)))
      if (value != null) gauge(name).set(labels, value);
    const findings = {
      mandatory: newest.mandatoryKeys,
      recommended: newest.recommendedKeys,
      advice: newest.adviceKeys,
    };
    for (const [strength, keys] of Object.entries(findings))
      if (keys != null) gauge('finding_keys').set({ ...labels, strength }, keys);
    if (!total) continue;
    for (const { key, point } of await readPointsAt(id, total.point.at, ['rule']))
      if (point.found !== null) gauge('rule_finding_keys').set({ ...labels, rule: key }, point.found);
  }
}
