import { readDestinationPolicy } from '@/lib/access/credentials/destination-policy';
import { openTarget } from '@/lib/access/credentials/open-target';
import { listArchives } from '@/lib/access/vault/archive-folder';
import { DeletionMeter } from '@/lib/deletions/executor/deletion-meter';
import { NeedsOperator } from '@/lib/deletions/executor/run-errors';
import { findWriteRefusal, type Refusal, refreshPermission } from '@/lib/deletions/executor/write-permission';
import type { DeletionAction } from '@/lib/deletions/run/act-on-items';
import { readUndoClock } from '@/lib/deletions/run/read-undo-clock';
import { runDeletion } from '@/lib/deletions/run/run-deletion';
import { HOUR_MS } from '@/lib/deletions/steps/finish-item';
import { blockOnDiskError } from '@/lib/jobs/block-on-disk-error';
import { JobBlocked, type JobContext, type JobKind } from '@/lib/jobs/loop/job-kind';
import { MAX_GAP_MS } from '@/lib/jobs/loop/park-restored-jobs';
import {
  type BusyNode,
  type ClaimedNode,
  claimNodes,
  isSameAddress,
  isSameNode,
  type NodeClaim,
} from '@/lib/jobs/node-claims';
import { isDeletingJob } from '@/lib/model/deletions/is-deleting-job';
import { AppError } from '@/lib/model/errors';
import { countItems, hasUndoneSince, sumItems, sumToUndo } from '@/lib/store/deletions/deletion-counts';
import { getStoredDeletion, type StoredDeletion, updateDeletion } from '@/lib/store/deletions/deletions';
import { readStoreNow } from '@/lib/store/jobs';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { findSecondPerson } from './approval/assert-approved';

/** A deletion waits this long, in ms, for a server that is away before it is blocked until a person acts. */
const RETRY_SERVER_MS = 30 * 60_000;
/** How much newer than the last record of the job an archive may be after a crash, in ms. */
const AHEAD_TOLERANCE_MS = 60_000;

/** The parameters of a job; `items` and `restoreExpired` are of an undo. */
export interface DeletionParams {
  deletionId: string;
  action: 'run' | 'undo' | 'purge';
  /** The numbers of the items to restore; absent = all. */
  items?: number[];
  /** Whether to restore also keys that would have expired meanwhile. */
  restoreExpired?: boolean;
}

/** Jobs that delete, restore and purge are of one kind: an instance has one of them at a time. */
export const deletionKind: JobKind<DeletionParams, NodeClaim> = {
  kind: 'deletion',
  isDestructive: true,

  async run(context) {
    const { params } = context;
    const deletion = await getStoredDeletion(params.deletionId);
    if (!deletion) throw new AppError('not_found', 'There is no such deletion.', { deletion: params.deletionId });
    await recordRunningJob(context, deletion);
    await refreshPermission(deletion.plan.instanceId);
    const findRefusal = createRefusalCheck(deletion, params.action);
    const reason = findRefusal();
    if (reason) throw new JobBlocked(reason);
    if (isDeletingJob('deletion', params)) await assertApprovedAgain(context, deletion.plan.id);
    const target = await openTarget(deletion.plan.instanceId, { forWriting: true });
    const action: DeletionAction =
      params.action === 'undo'
        ? { kind: 'undo', items: params.items ?? null, restoreExpired: params.restoreExpired ?? false }
        : { kind: params.action };
    const undoTotals =
      action.kind === 'undo'
        ? await sumToUndo(deletion.plan.id, action.items, await readUndoClock(deletion.plan.task))
        : null;
    const meter = await createMeter(context, deletion, undoTotals);
    const outcome = await blockForPerson(
      runDeletion({
        deletion,
        action,
        target,
        policy: readDestinationPolicy(deletion.plan.instanceId),
        meter,
        hooks: {
          ...context,
          retryForMs: RETRY_SERVER_MS,
          claimNodes: createNodeClaimer(context, action.kind),
          findRefusal,
        },
      }),
    );
    if (outcome === 'done') {
      await concludeDeletion(context, deletion);
      if (action.kind === 'undo') await assertAnyRestored(context.job.startedAt, deletion, undoTotals);
    }
    return outcome;
  },

  /**
   * Whether archives of the deletion were written clearly later than this store last recorded the job, which shows that
   * an older store was restored. A crash leaves some seconds between the last record and the last write.
   */
  async isAhead({ job, params }) {
    const files = await listArchives((params as DeletionParams).deletionId);
    // Files have the time of this machine, jobs have the time of the store.
    const differenceMs = Date.now() - (await readStoreNow());
    return files.some(({ writtenAt }) => writtenAt - differenceMs > job.updatedAt + AHEAD_TOLERANCE_MS);
  },

  /**
   * Describes the number of keys in each state and of deleted elements. Elements that are read again are no progress.
   */
  async describeProgress({ params }) {
    const { deletionId } = params as DeletionParams;
    const { removed } = await sumItems(deletionId, 0);
    const counts = Object.entries(await countItems(deletionId)).sort();
    return JSON.stringify([counts, removed]);
  },

  /** There is nothing to clean up: tombstones and archives must stay, because only they can be restored. */
  async discard(job, _checkpoint, { deletionId, action }) {
    const deletion = await getStoredDeletion(deletionId);
    if (job.state === 'cancelled' && action === 'run' && deletion?.state === 'started')
      await updateDeletion(deletion.plan.id, {
        state: 'cancelled',
        endedAt: Date.now(),
        undoUntil: deletion.undoUntil ?? computeArchiveEnd(deletion, await readUndoClock(deletion.plan.task)),
      });
    return 'kept';
  },
};

/**
 * Records the running job in the deletion, whichever began last. Throws `conflict` if somebody has ended the deletion:
 * it does not begin again.
 */
async function recordRunningJob(
  {
    job,
    params,
    writeFencedLocked,
  }: Pick<JobContext<DeletionParams, NodeClaim>, 'job' | 'params' | 'writeFencedLocked'>,
  { plan, state, jobId }: StoredDeletion,
): Promise<void> {
  if (params.action === 'run' && state === 'cancelled')
    throw new AppError('conflict', 'This deletion has ended: no more keys are deleted.', { deletion: plan.id });
  if (jobId === job.id) return;
  await writeFencedLocked((tx) => updateDeletion(plan.id, { jobId: job.id, action: params.action }, tx));
}

/**
 * Returns a function that is called before each command and says why it may not be sent; null = it may. If the process
 * slept for longer than `MAX_GAP_MS`, no command is sent until a person agrees.
 */
function createRefusalCheck({ plan }: StoredDeletion, action: DeletionParams['action']) {
  let lastCall = Date.now();
  let hasSlept = false;
  return (): Refusal | null => {
    const now = Date.now();
    hasSlept ||= Math.abs(now - lastCall) > MAX_GAP_MS;
    lastCall = now;
    return hasSlept ? { code: 'store_gap', params: {} } : findWriteRefusal(plan, action);
  };
}

/**
 * Returns when the archives are deleted, ms of observed time, although they may restore nothing any more. null = the
 * task has no archives.
 */
function computeArchiveEnd({ plan }: StoredDeletion, now: number): number | null {
  return 'retentionHours' in plan.options ? now + plan.options.retentionHours * HOUR_MS : null;
}

/** Records how the deletion ended. It is done only if no key is left to be deleted. */
async function concludeDeletion(
  context: Pick<JobContext<unknown, unknown>, 'writeFencedLocked'>,
  deletion: StoredDeletion,
) {
  const { id, task } = deletion.plan;
  const now = await readUndoClock(task);
  await context.writeFencedLocked(async (tx) => {
    const counts = await countItems(id, tx);
    const openItems =
      (counts.planned ?? 0) + (counts.tombstoned ?? 0) + (counts.draining ?? 0) + (counts.quarantined ?? 0);
    const { undoUntil: itemsUndoUntil } = await sumItems(id, now, tx);
    const undoUntil = itemsUndoUntil ?? deletion.undoUntil ?? computeArchiveEnd(deletion, now);
    await updateDeletion(id, { ...(openItems === 0 && { state: 'done' }), endedAt: Date.now(), undoUntil }, tx);
  });
}

/** Refusals are reported key by key. If no key was restored at all, the undo has failed. */
async function assertAnyRestored(
  startedAt: number | null,
  { plan }: StoredDeletion,
  undoTotals: { keys: number } | null,
): Promise<void> {
  const keys = undoTotals?.keys ?? 0;
  if (keys === 0 || (await hasUndoneSince(plan.id, startedAt ?? 0))) return;
  throw new AppError('nothing_undone', 'No key was restored; each key shows the reason.', { deletion: plan.id, keys });
}

const isCredentialProblem = (code: string) =>
  code === 'write_credentials_missing' || code === 'write_credentials_refused';

/** Pauses the job with its reason if only a person can solve the problem. */
async function blockForPerson<T>(running: Promise<T>): Promise<T> {
  try {
    return await blockOnDiskError(running);
  } catch (error) {
    if (error instanceof NeedsOperator) throw new JobBlocked(error.reason);
    if (error instanceof AppError && isCredentialProblem(error.code))
      throw new JobBlocked({ code: error.code, params: {} });
    throw error;
  }
}

/**
 * Progress counts elements if all lengths are known and elements are worked on, otherwise keys: a quarantine and its
 * undo only rename. A resumed deletion starts from what was already deleted; an undo counts what is left.
 */
async function createMeter(
  { job, params }: JobContext<DeletionParams, NodeClaim>,
  { plan, points }: StoredDeletion,
  undoTotals: { keys: number; elements: number | null } | null,
) {
  const { task, totals } = plan;
  const now = await readUndoClock(task);
  const sumsBefore = await sumItems(plan.id, now);
  const expected = undoTotals ?? totals;
  const isRun = params.action === 'run';
  const { planned = 0, tombstoned = 0, draining = 0, quarantined = 0 } = await countItems(plan.id);
  const isRenameOnly = isRun
    ? totals.byMode.some(({ mode }) => mode === 'quarantine')
    : undoTotals !== null && quarantined > 0;
  const unit =
    task === 'expire' || isRenameOnly || expected.elements === null ? ('keys' as const) : ('elements' as const);
  const endedKeys = totals.keys - planned - tombstoned - draining;
  return new DeletionMeter({
    done: !isRun ? 0 : unit === 'elements' ? sumsBefore.removed : endedKeys,
    total: params.action === 'purge' ? null : unit === 'keys' ? expected.keys : expected.elements,
    unit,
    cost: job.cost,
    points: isRun ? points : [],
  });
}

/**
 * Called before a job deletes something. The approval of a second person was for the server at that time: if another
 * server was accepted since and the instance requires a second person, the job waits until that server is approved too.
 * The approver is recorded when the job begins, because an approval ends after a day, but a deletion that has begun
 * continues after any crash.
 */
async function assertApprovedAgain(
  { writeFencedLocked }: Pick<JobContext<unknown, unknown>, 'writeFencedLocked'>,
  id: string,
): Promise<void> {
  const mustWait = await writeFencedLocked(async (tx) => {
    const stored = await getStoredDeletion(id, tx);
    const accepted = stored?.plan.accepted;
    if (!stored || !accepted || accepted.approvedBy !== undefined) return false;
    const instance = await getProtectedInstance(stored.plan.instanceId, tx);
    if (!instance?.settings.secondPerson) return false;
    const secondPerson = await findSecondPerson(stored, instance, tx);
    if (secondPerson)
      await updateDeletion(
        id,
        { plan: { ...stored.plan, accepted: { ...accepted, approvedBy: secondPerson.name } } },
        tx,
      );
    return secondPerson === null;
  });
  if (mustWait) throw new JobBlocked({ code: 'approval_needed', params: {} });
}

/**
 * Only one deletion writes to a node at a time, whichever instances name that node. The nodes are claimed again
 * whenever the topology is read, all or none: if a failover or a move of slots adds a node that another deletion writes
 * to, the nodes claimed before are released, so that no two deletions wait for each other. An undo must be quick: it
 * waits only for a deletion that names the same address, not for one that reports the same run id.
 */
export function createNodeClaimer(
  context: Pick<JobContext<unknown, NodeClaim>, 'job' | 'writeFencedLocked' | 'saveCheckpoint'>,
  action: 'run' | 'undo' | 'purge',
): (nodes: ClaimedNode[]) => Promise<BusyNode | null> {
  const isSame = action === 'undo' ? isSameAddress : isSameNode;
  let claim: NodeClaim = { nodes: [] };
  return async (nodes) => {
    claim = { ...claim, nodes };
    const busy = await claimNodes(context, claim, { stillNeedsNodes: () => true, isSame });
    if (busy !== null && claim.takenUnder !== undefined) {
      claim = { nodes };
      await context.saveCheckpoint(claim);
    }
    return busy;
  };
}
