import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { listWorkers } from '@/lib/jobs/health';
import { JOB_STATES } from '@/lib/model/job-states';
import { listInstanceRows } from '@/lib/store/instances';
import { countJobs } from '@/lib/store/jobs';
import { listSnapshotRows } from '@/lib/store/snapshots';

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
  return registry;
}

/**
 * Returns the metrics as Prometheus text. What is in the store is counted at each request. The text has no names of
 * instances or keys.
 */
export async function collectMetrics(): Promise<{ text: string; contentType: string }> {
  const registry = getRegistry();
  const gauge = (name: string) => registry.getSingleMetric(`colonnade_${name}`) as Gauge;
  const [jobs, instances, snapshots, { engine }] = await Promise.all([
    countJobs(),
    listInstanceRows(),
    listSnapshotRows(null),
    listWorkers(),
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
  return { text: await registry.metrics(), contentType: registry.contentType };
}
