import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import type { RedisSession } from '@/lib/redis/connection/session';
import { measureServerTime, SCAN_CALLS } from '@/lib/redis/server/measure-server-time';
import type { NodeThrottle } from '@/lib/redis/throttle/node-throttle';
import { createNodeThrottle } from '@/lib/redis/throttle/throttle';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { computeCoverage } from './begin-scan';
import type { ScanCheckpoint } from './scan-checkpoint';
import type { ScanHooks } from './scan-hooks';
import type { ScanMeter } from './scan-meter';
import { type NodeOutcome, scanNode } from './scan-node';
import { skipNode } from './update-scan-plan';

interface AllNodesScan {
  session: RedisSession;
  dir: string;
  checkpoint: ScanCheckpoint;
  manifest: SnapshotManifest;
  thresholds: BigkeyThresholds;
  meter: ScanMeter;
  hooks: ScanHooks;
}

/** The result of reading all nodes. `lost`: the connection or the process of these nodes (by index) changed. */
type AllOutcome = { kind: 'done' } | { kind: 'stopped' } | { kind: 'lost'; nodes: number[]; error: Error };

/**
 * How many nodes are read at the same time. Each node is one process with its own thread, so they do not slow each
 * other; this process is the limit. A node that is read needs about 5 MiB for rows on their way to the disk, and one
 * thread here cannot keep up with a dozen nodes.
 */
export const MAX_NODES_AT_ONCE = 16;
/** How often the chosen speed is passed to the throttles, in ms. */
const SPEED_EVERY_MS = 300;

/** Reads all open nodes, at most MAX_NODES_AT_ONCE at the same time and the others in their order. */
export async function readAllNodes(scan: AllNodesScan): Promise<AllOutcome> {
  const { checkpoint, meter, hooks } = scan;
  const abort = new AbortController();
  const signal = AbortSignal.any([hooks.signal, abort.signal]);
  const open = [...new Set(checkpoint.partitions.filter((p) => !p.done).map((p) => p.node))];
  const save = createQueuedSave(scan);
  const throttles = new Set<NodeThrottle>();
  // A person may change the speed at any time.
  const speedTicker = setInterval(() => {
    for (const throttle of throttles) throttle.setSpeed(hooks.speed());
  }, SPEED_EVERY_MS);
  try {
    const settled: PromiseSettledResult<NodeOutcome>[] = [];
    // All workers take their nodes from one iterator.
    const queue = open.entries();
    const next = async () => {
      for (const [i, node] of queue) {
        const [outcome] = await Promise.allSettled([scanMeasuredNode(scan, node, { throttles, save, signal })]);
        if (outcome.status === 'rejected') abort.abort(outcome.reason);
        settled[i] = outcome;
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_NODES_AT_ONCE, open.length) }, next));
    await save();
    return summarize(settled, open, checkpoint);
  } finally {
    clearInterval(speedTicker);
    meter.endRun();
  }
}

/** Reads one node with its own throttle and adds the server time that it used. */
async function scanMeasuredNode(
  { session, dir, checkpoint, thresholds, meter, hooks }: AllNodesScan,
  node: number,
  { throttles, save, signal }: { throttles: Set<NodeThrottle>; save(): Promise<void>; signal: AbortSignal },
): Promise<NodeOutcome> {
  if (signal.aborted || hooks.stopRequested() !== null) return { kind: 'stopped' };
  const throttle = createNodeThrottle(hooks.speed(), { regainPlace: () => hooks.regainPlace() });
  throttles.add(throttle);
  meter.watch(node, throttle);
  const readServerTime = await measureServerTime(session, checkpoint.nodes[node]?.address ?? '', SCAN_CALLS);
  try {
    return await scanNode({ session, dir, checkpoint, node, thresholds, throttle, meter, hooks, save, signal });
  } finally {
    throttles.delete(throttle);
    meter.addServerTime(await readServerTime().catch(() => null));
  }
}

/**
 * Returns one outcome for all nodes. `settled` has the outcomes of the nodes `open` in their order. A node that refuses
 * is skipped from now on; if all refuse, or one failed for good, this throws.
 */
function summarize(
  settled: PromiseSettledResult<NodeOutcome>[],
  open: number[],
  checkpoint: ScanCheckpoint,
): AllOutcome {
  const outcomes = settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  if (outcomes.some((o) => o.kind === 'stopped')) return { kind: 'stopped' };
  const refused = outcomes.flatMap((o, i) =>
    o.kind === 'refused' ? [{ node: open[i] as number, error: o.error }] : [],
  );
  if (refused.length === checkpoint.nodes.length && refused[0]) throw refused[0].error;
  for (const { node, error } of refused) skipNode(checkpoint, node, error.code);
  const lost = outcomes.flatMap((o, i) => (o.kind === 'lost' ? [{ node: open[i] as number, error: o.error }] : []));
  return lost[0] ? { kind: 'lost', nodes: lost.map((l) => l.node), error: lost[0].error } : { kind: 'done' };
}

/**
 * Returns a function that saves the checkpoint. Nodes close parts at any time, and the checkpoint is one document, so
 * the writes are queued.
 */
function createQueuedSave({ checkpoint, manifest, meter, hooks, dir }: AllNodesScan): () => Promise<void> {
  let saving: Promise<void> = Promise.resolve();
  return () => {
    saving = saving.then(async () => {
      checkpoint.cost = meter.getCost();
      const coverage = computeCoverage(checkpoint);
      await hooks.assertHeld();
      await writeManifest(dir, {
        ...manifest,
        nodes: checkpoint.nodes,
        keys: coverage.keysRead,
        coverage,
        cost: checkpoint.cost,
      });
      await hooks.saveCheckpoint(checkpoint);
    });
    return saving;
  };
}
