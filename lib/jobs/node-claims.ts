import type { JobContext } from '@/lib/jobs/loop/job-kind';
import { HELD_STATES } from '@/lib/jobs/statuses/assert-transition';
import type { Job, WaitReason } from '@/lib/model/job';
import { waitFor } from '@/lib/runtime/wait-for';
import { findStoredJobs, getStoredJob, updateJob } from '@/lib/store/jobs';
import type { Tx } from '@/lib/store/open-store';

/** How often the store is queried while another job works on a node, in ms. */
const NODE_POLL_MS = 2_000;
/** The limit of the query, so that it returns all held jobs and not only a page of them. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** A node as a job has read it from the topology. */
export interface ClaimedNode {
  address: string;
  /** null: the server hides it. */
  runId: string | null;
}

/** The fields of a checkpoint that name the nodes its job works on. */
export interface NodeClaim {
  nodes: ClaimedNode[];
  /**
   * The fence of the run that has claimed the nodes; absent: none has. The fence of an earlier run is no claim, because
   * each run has its own.
   */
  takenUnder?: number;
}

/** What a kind of job answers when the nodes of two of its jobs are compared. */
interface ClaimQuestions<Claim> {
  /** Whether a job that has claimed its nodes still needs them. */
  stillNeedsNodes(other: Claim): boolean;
  /** Whether two nodes are the same. */
  isSame: CompareNodes;
}

/** A node that another job works on. */
export interface BusyNode {
  address: string;
  jobId: string;
}

/**
 * Claims all nodes for this run and records that in the checkpoint. If another job of its kind works on one of them,
 * nothing is claimed, and that node and job are returned; null: all are claimed. Two instances may have the same node
 * under different addresses. The store is locked, so that one of two jobs that start at once is first. A waiting job
 * has claimed nothing, so no two jobs wait for each other.
 */
export async function claimNodes<Claim extends NodeClaim>(
  { job, writeFencedLocked }: Pick<JobContext<unknown, Claim>, 'job' | 'writeFencedLocked'>,
  checkpoint: Claim,
  { stillNeedsNodes, isSame }: ClaimQuestions<Claim>,
): Promise<BusyNode | null> {
  const findBusy = (tx?: Tx) => findBusyNode(job, checkpoint.nodes, { stillNeedsNodes, isSame }, tx);
  // The first query takes no lock: a waiting job asks every two seconds, and would otherwise delay all writers.
  const busy = await findBusy();
  if (busy !== null) return busy;
  return writeFencedLocked(async (tx) => {
    const busyNow = await findBusy(tx);
    if (busyNow !== null) return busyNow;
    const ownJob = await getStoredJob(job.id, tx);
    checkpoint.takenUnder = ownJob?.lease.fence ?? 0;
    await updateJob(job.id, { checkpoint }, tx);
    return null;
  });
}

async function findBusyNode<Claim extends NodeClaim>(
  job: Job,
  nodes: readonly ClaimedNode[],
  { stillNeedsNodes, isSame }: ClaimQuestions<Claim>,
  tx?: Tx,
): Promise<BusyNode | null> {
  for (const other of await findStoredJobs({ kind: job.kind, states: HELD_STATES, limit: NO_LIMIT }, tx)) {
    const otherClaim = other.checkpoint as Claim | null;
    if (other.job.id === job.id || otherClaim?.takenUnder !== other.lease.fence || !stillNeedsNodes(otherClaim))
      continue;
    const shared = nodes.find((ownNode) => otherClaim.nodes.some((node) => isSame(ownNode, node)));
    if (shared) return { address: shared.address, jobId: other.job.id };
  }
  return null;
}

type CompareNodes = (node: ClaimedNode, otherNode: ClaimedNode) => boolean;

/**
 * Compares nodes by their address only. The run id is not used, because any server can repeat the run id of another.
 */
export const isSameAddress: CompareNodes = (node, otherNode) => node.address === otherNode.address;

/**
 * Compares nodes by their run id, because a process has one run id under all its addresses. If a run id is hidden, the
 * addresses are compared.
 */
export const isSameNode: CompareNodes = (node, otherNode) =>
  node.runId !== null && otherNode.runId !== null ? node.runId === otherNode.runId : node.address === otherNode.address;

/**
 * Waits until `claim` returns null, because no node is busy. `onBusy` is called each time one is. Returns 'free' when
 * there was no wait, 'waited', or 'stopped' when a stop was requested.
 */
export async function waitForNodes(
  claim: () => Promise<BusyNode | null>,
  { whenStopRequested, getStopRequest }: Pick<JobContext<unknown, unknown>, 'whenStopRequested' | 'getStopRequest'>,
  onBusy: (reason: WaitReason) => Promise<void>,
): Promise<'free' | 'waited' | 'stopped'> {
  const since = Date.now();
  for (let attempt = 1; ; attempt++) {
    const busy = await claim();
    if (busy === null) return attempt === 1 ? 'free' : 'waited';
    await onBusy({ code: 'node_busy', params: { address: busy.address, job: busy.jobId }, since });
    await waitFor(NODE_POLL_MS, whenStopRequested);
    if (getStopRequest() !== null) return 'stopped';
  }
}
