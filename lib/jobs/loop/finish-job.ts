import { assertTransition } from '@/lib/jobs/statuses/assert-transition';
import { getStoredJobOrThrow } from '@/lib/jobs/statuses/get-job';
import { type ErrorCode, toErrorBody } from '@/lib/model/errors';
import type { Job, WaitReason } from '@/lib/model/job';
import type { JobState } from '@/lib/model/job-states';
import { appendEvent } from '@/lib/store/events';
import { type JobPatch, type LeaseHolder, type StoredJob, updateJob } from '@/lib/store/jobs';
import { runRowTransaction, type Tx } from '@/lib/store/open-store';
import { isLeaseHeldBy, LeaseLost, toFreeLease } from './lease';

/** Error codes of a store that cannot be written at the moment. */
export const STORE_UNAVAILABLE_CODES = new Set<ErrorCode>(['data_locked', 'store_read_only', 'database_unreachable']);

/** How a run came to its end. */
export type RunEnd =
  | { how: 'done' }
  /** The run answered a person's request to stop. */
  | { how: 'stopped' }
  /** The process ends, or its store cannot be written; the job continues later from its checkpoint. */
  | { how: 'interrupted' }
  | { how: 'blocked'; reason: Omit<WaitReason, 'since'> }
  | { how: 'failed'; error: unknown };

type StateStep = { state: JobState } & JobPatch;

/**
 * Returns the steps from the current state, which a person may have changed meanwhile, to the final state. A job that
 * needs a person becomes `pausing` and then `paused`, because a running job may not become `paused` directly.
 */
export function listStepsToEnd(state: JobState, end: RunEnd, now: number): StateStep[] {
  const cancelled: StateStep = { state: 'cancelled', reason: null, endedAt: now, discardPending: true };
  const toFailedStep = (error: unknown): StateStep => ({
    state: 'failed',
    reason: null,
    error: toErrorBody(error),
    endedAt: now,
    discardPending: true,
  });
  if (end.how === 'done') return [{ state: 'succeeded', reason: null, endedAt: now }];
  if (state === 'cancelling') return [cancelled];
  if (end.how === 'failed') return [toFailedStep(end.error)];
  if (end.how === 'blocked') {
    const paused: StateStep = { state: 'paused', reason: { ...end.reason, since: now } };
    return state === 'pausing' ? [paused] : [{ state: 'pausing' }, paused];
  }
  if (state === 'pausing') return [{ state: 'paused' }];
  if (end.how === 'interrupted') return [{ state: 'queued', reason: { code: 'interrupted', params: {}, since: now } }];
  return [toFailedStep(new Error('A job stopped without being asked to.'))];
}

/**
 * Writes the end of a run and releases the lease, in one transaction. Throws LeaseLost when another run has the lease.
 */
export async function finishJob(id: string, holder: LeaseHolder, end: RunEnd, unwritten: JobPatch): Promise<StoredJob> {
  return runRowTransaction(async (tx) => {
    const { job, lease } = await getStoredJobOrThrow(id, tx);
    if (!isLeaseHeldBy(lease, holder)) throw new LeaseLost();
    let patch: JobPatch = { ...unwritten, lease: toFreeLease(lease.fence) };
    let state = job.state;
    for (const step of listStepsToEnd(state, end, Date.now())) {
      assertTransition(id, state, step.state);
      state = step.state;
      patch = { ...patch, ...step };
    }
    await updateJob(id, patch, tx);
    const stored = await getStoredJobOrThrow(id, tx);
    await reportEnd(stored.job, tx);
    return stored;
  });
}

async function reportEnd({ id, kind, state, instanceId, snapshotId }: Job, tx: Tx): Promise<void> {
  if (state !== 'succeeded' && state !== 'failed' && state !== 'cancelled') return;
  await appendEvent({ kind: 'job.ended', subject: id, instanceId, details: { kind, state, snapshotId } }, tx);
}
