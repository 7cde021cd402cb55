import { setTimeout as sleep } from 'node:timers/promises';
import type { JobContext } from '@/lib/jobs/loop/kind';
import { HELD_STATES } from '@/lib/jobs/statuses/transition';
import type { Job, WaitReason } from '@/lib/model/job';
import { findStoredJobs, getStoredJob, updateJob } from '@/lib/store/jobs';
import type { Tx } from '@/lib/store/open-store';

/** Of the store, while another job works on a node. */
const LOOK_MS = 2_000;
/** All that are held, not only a page of them. */
const ALL = Number.MAX_SAFE_INTEGER;

/** A node as whoever is connected to it knows it. */
export interface ClaimedNode {
  address: string;
  /** null: it is hidden. */
  runId: string | null;
}

/** What a checkpoint says of the nodes that its job works on. */
export interface NodeClaim {
  nodes: ClaimedNode[];
  /** The fence of the run that has taken them. Of an earlier run it says nothing: each one has a fence of its own. */
  takenUnder?: number;
}

/** A node that another job works on. */
export interface BusyNode {
  address: string;
  jobId: string;
}

/**
 * Notes in the checkpoint that this run works on its nodes, all of them, unless another job of its kind works on one:
 * then that node and the job. Two instances may name one node, under whatever address. Under the lock of the store, so
 * that of two that begin at once one is first; whoever waits has noted nothing, so no two wait for each other.
 * `holds`: whether one that has taken its nodes needs them still. `isSame`: whether two nodes are one.
 */
export async function claimNodes<Claim extends NodeClaim>(
  { job, fencedAlone }: Pick<JobContext<unknown, Claim>, 'job' | 'fencedAlone'>,
  checkpoint: Claim,
  { holds, isSame }: { holds: (other: Claim) => boolean; isSame: SameNode },
): Promise<BusyNode | null> {
  const find = (tx?: Tx) => findBusyNode(job, checkpoint.nodes, { holds, isSame }, tx);
  // Without the lock first: whoever waits looks every two seconds, and would hold up all that write.
  const busy = await find();
  if (busy !== null) return busy;
  return fencedAlone(async (tx) => {
    const taken = await find(tx);
    if (taken !== null) return taken;
    const own = await getStoredJob(job.id, tx);
    checkpoint.takenUnder = own?.lease.fence ?? 0;
    await updateJob(job.id, { checkpoint }, tx);
    return null;
  });
}

async function findBusyNode<Claim extends NodeClaim>(
  job: Job,
  nodes: readonly ClaimedNode[],
  { holds, isSame }: { holds: (other: Claim) => boolean; isSame: SameNode },
  tx?: Tx,
): Promise<BusyNode | null> {
  for (const other of await findStoredJobs({ kind: job.kind, states: HELD_STATES, limit: ALL }, tx)) {
    const theirs = other.checkpoint as Claim | null;
    if (other.job.id === job.id || theirs?.takenUnder !== other.lease.fence || !holds(theirs)) continue;
    const shared = nodes.find((mine) => theirs.nodes.some((node) => isSame(mine, node)));
    if (shared) return { address: shared.address, jobId: other.job.id };
  }
  return null;
}

type SameNode = (a: ClaimedNode, b: ClaimedNode) => boolean;

/** What a server says of itself does not count: any of them can repeat the run id of another one. */
export const isSameAddress: SameNode = (a, b) => a.address === b.address;

/** A process has one run id, under whatever name it is reached; where that is hidden, the address has to do. */
export const isSameNode: SameNode = (a, b) =>
  a.runId !== null && b.runId !== null ? a.runId === b.runId : a.address === b.address;

/** Until `take` is told of no busy node. `whenBusy`: each time it is. */
export async function waitForNodes(
  take: () => Promise<BusyNode | null>,
  {
    stopped,
    stopRequested,
    withoutPlace,
  }: Pick<JobContext<unknown, unknown>, 'stopped' | 'stopRequested' | 'withoutPlace'>,
  whenBusy: (reason: WaitReason) => Promise<void>,
): Promise<'free' | 'waited' | 'stopped'> {
  const since = Date.now();
  for (let looks = 0; ; looks++) {
    const busy = await take();
    if (busy === null) return looks === 0 ? 'free' : 'waited';
    await whenBusy({ code: 'node_busy', params: { address: busy.address, job: busy.jobId }, since });
    await withoutPlace(async () => {
      const woken = new AbortController();
      await Promise.race([sleep(LOOK_MS, undefined, { signal: woken.signal }).catch(() => {}), stopped]);
      woken.abort();
    });
    if (stopRequested() !== null) return 'stopped';
  }
}
