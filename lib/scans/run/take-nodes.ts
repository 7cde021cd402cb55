import { setTimeout as sleep } from 'node:timers/promises';
import type { JobContext } from '@/lib/jobs/loop/kind';
import { HELD_STATES } from '@/lib/jobs/statuses/transition';
import type { Job, WaitReason } from '@/lib/model/job';
import type { SnapshotNode } from '@/lib/model/snapshots/snapshot';
import { findStoredJobs, getStoredJob, updateJob } from '@/lib/store/jobs';
import type { Tx } from '@/lib/store/open-store';
import type { ScanCheckpoint } from './scan-checkpoint';
import type { ScanHooks } from './scan-hooks';

/** Of the store, while another scan reads a node. */
const LOOK_MS = 2_000;
/** All that are held, not only a page of them. */
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * Notes in the checkpoint that this run reads its nodes, unless another scan reads one of them: then that node's
 * address. Two instances may name one node, under whatever address. Under the lock of the store, so that of two that
 * begin at once one is first; whoever waits has noted nothing, so no two wait for each other.
 */
export async function takeNodes(
  { job, fencedAlone }: Pick<JobContext<unknown, ScanCheckpoint>, 'job' | 'fencedAlone'>,
  checkpoint: ScanCheckpoint,
): Promise<string | null> {
  // Without the lock first: whoever waits looks every two seconds, and would hold up all that write.
  const busy = await busyNode(job, checkpoint.nodes);
  if (busy !== null) return busy;
  return fencedAlone(async (tx) => {
    const taken = await busyNode(job, checkpoint.nodes, tx);
    if (taken !== null) return taken;
    const own = await getStoredJob(job.id, tx);
    checkpoint.takenUnder = own?.lease.fence ?? 0;
    await updateJob(job.id, { checkpoint }, tx);
    return null;
  });
}

async function busyNode(job: Job, nodes: SnapshotNode[], tx?: Tx): Promise<string | null> {
  for (const other of await findStoredJobs({ kind: job.kind, states: HELD_STATES, limit: ALL }, tx)) {
    const theirs = other.checkpoint as ScanCheckpoint | null;
    // Of an earlier run it says nothing: each one has a fence of its own.
    if (other.job.id === job.id || theirs?.takenUnder !== other.lease.fence || theirs.readingDone) continue;
    const shared = nodes.find((mine) => theirs.nodes.some((node) => isSameNode(mine, node)));
    if (shared) return shared.address;
  }
  return null;
}

/** A process has one run id, under whatever name it is reached; where that is hidden, the address has to do. */
export const isSameNode = (a: SnapshotNode, b: SnapshotNode): boolean =>
  a.runId !== null && b.runId !== null ? a.runId === b.runId : a.address === b.address;

/** Until no other scan reads one of these nodes. `whenBusy`: each time one does. */
export async function waitForNodes(
  checkpoint: ScanCheckpoint,
  hooks: Pick<ScanHooks, 'takeNodes' | 'stopped' | 'stopRequested'>,
  whenBusy: (reason: WaitReason) => Promise<void>,
): Promise<'free' | 'waited' | 'stopped'> {
  const since = Date.now();
  for (let looks = 0; ; looks++) {
    const address = (await hooks.takeNodes?.(checkpoint)) ?? null;
    if (address === null) return looks === 0 ? 'free' : 'waited';
    await whenBusy({ code: 'node_busy', params: { address }, since });
    const woken = new AbortController();
    await Promise.race([sleep(LOOK_MS, undefined, { signal: woken.signal }).catch(() => {}), hooks.stopped]);
    woken.abort();
    if (hooks.stopRequested() !== null) return 'stopped';
  }
}
