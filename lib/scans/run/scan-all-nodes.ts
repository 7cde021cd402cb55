import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import type { RedisSession } from '@/lib/redis/connection/session';
import { measureServerTime, SCAN_CALLS } from '@/lib/redis/server/measure-server-time';
import type { NodeThrottle } from '@/lib/redis/throttle/node-throttle';
import { createNodeThrottle } from '@/lib/redis/throttle/throttle';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import type { ScanCheckpoint } from './scan-checkpoint';
import type { ScanHooks } from './scan-hooks';
import { computeCoverage } from './scan-manifest';
import type { ScanMeter } from './scan-meter';
import { type NodeOutcome, scanNode } from './scan-node';
import { skipNode } from './update-scan-plan';

interface AllNodesScan {
  session: RedisSession;
  dir: string;
  checkpoint: ScanCheckpoint;
  manifest: SnapshotManifest;
  lengthThresholds: BigkeyThresholds;
  meter: ScanMeter;
  hooks: ScanHooks;
}

/**
 * The result of reading all nodes. `lost`: the connection to these nodes (by index) was lost, or their process changed.
 */
type AllNodesOutcome = { kind: 'done' } | { kind: 'stopped' } | { kind: 'lost'; nodes: number[]; error: Error };

/**
 * How many nodes are read at the same time. Each node is one process with its own thread, so they do not slow each
 * other; this process is the limit. A node that is read needs about 5 MiB for rows on their way to the disk, and one
 * thread here cannot keep up with a dozen nodes.
 */
export const MAX_NODES_AT_ONCE = 16;
/** How often the chosen speed is passed to the throttles, in ms. */
const SPEED_EVERY_MS = 300;

/** Reads all open nodes, at most MAX_NODES_AT_ONCE at the same time and the others in their order. */
export async function scanAllNodes(scan: AllNodesScan): Promise<AllNodesOutcome> {
  const { checkpoint, meter, hooks } = scan;
  const abortAll = new AbortController();
  const signal = AbortSignal.any([hooks.signal, abortAll.signal]);
  const openNodes = [
    ...new Set(checkpoint.partitions.filter((partition) => !partition.done).map((partition) => partition.node)),
  ];
  const saveCheckpoint = createQueuedSave(scan);
  const throttles = new Set<NodeThrottle>();
  // A person may change the speed at any time.
  const speedTicker = setInterval(() => {
    for (const throttle of throttles) throttle.setSpeed(hooks.getSpeed());
  }, SPEED_EVERY_MS);
  try {
    const settled: PromiseSettledResult<NodeOutcome>[] = [];
    // All workers take their nodes from one iterator.
    const queue = openNodes.entries();
    const scanFromQueue = async () => {
      for (const [index, node] of queue) {
        const [outcome] = await Promise.allSettled([
          scanMeasuredNode(scan, node, { throttles, saveCheckpoint, signal }),
        ]);
        if (outcome.status === 'rejected') abortAll.abort(outcome.reason);
        settled[index] = outcome;
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_NODES_AT_ONCE, openNodes.length) }, scanFromQueue));
    await saveCheckpoint();
    return summarize(settled, openNodes, checkpoint);
  } finally {
    clearInterval(speedTicker);
    meter.endRun();
  }
}

/** Reads one node with its own throttle and adds the server time that it used. */
async function scanMeasuredNode(
  { session, dir, checkpoint, lengthThresholds, meter, hooks }: AllNodesScan,
  node: number,
  {
    throttles,
    saveCheckpoint,
    signal,
  }: { throttles: Set<NodeThrottle>; saveCheckpoint(): Promise<void>; signal: AbortSignal },
): Promise<NodeOutcome> {
  if (signal.aborted || hooks.getStopRequest() !== null) return { kind: 'stopped' };
  const throttle = createNodeThrottle(hooks.getSpeed(), { regainPlace: () => hooks.regainPlace() });
  throttles.add(throttle);
  meter.watchThrottle(node, throttle);
  const readServerTime = await measureServerTime(session, checkpoint.nodes[node]?.address ?? '', SCAN_CALLS);
  try {
    return await scanNode({
      session,
      dir,
      checkpoint,
      nodeIndex: node,
      lengthThresholds,
      throttle,
      meter,
      hooks,
      saveCheckpoint,
      signal,
    });
  } finally {
    throttles.delete(throttle);
    meter.addServerTime(await readServerTime().catch(() => null));
  }
}

/**
 * Returns one outcome for all nodes. `settled` has the outcomes of `openNodes` in their order. A node that refuses is
 * skipped from now on; if all refuse, or one failed for good, this throws.
 */
function summarize(
  settled: PromiseSettledResult<NodeOutcome>[],
  openNodes: number[],
  checkpoint: ScanCheckpoint,
): AllNodesOutcome {
  const outcomes = settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  if (outcomes.some((outcome) => outcome.kind === 'stopped')) return { kind: 'stopped' };
  const refused = outcomes.flatMap((outcome, index) =>
    outcome.kind === 'refused' ? [{ node: openNodes[index] as number, error: outcome.error }] : [],
  );
  if (refused.length === checkpoint.nodes.length && refused[0]) throw refused[0].error;
  for (const { node, error } of refused) skipNode(checkpoint, node, error.code);
  const lost = outcomes.flatMap((outcome, index) =>
    outcome.kind === 'lost' ? [{ node: openNodes[index] as number, error: outcome.error }] : [],
  );
  return lost[0] ? { kind: 'lost', nodes: lost.map(({ node }) => node), error: lost[0].error } : { kind: 'done' };
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
      await hooks.assertNotTakenOver();
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
