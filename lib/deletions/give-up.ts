import { setImmediate as pause } from 'node:timers/promises';
import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import { createCodedMessage } from '@/lib/deletions/journal/write-journal';
import { findAnsweringServer } from '@/lib/deletions/run/find-answering-server';
import { HOUR_MS } from '@/lib/deletions/steps/finish-item';
import { endJob } from '@/lib/jobs/cancel-job';
import { OPEN_STATES } from '@/lib/jobs/statuses/assert-transition';
import type { Actor } from '@/lib/model/actor';
import type { GivenUp, GiveUp } from '@/lib/model/deletions/plan-request';
import { AppError } from '@/lib/model/errors';
import { findOpenDeletions, giveUpItems, holdClock } from '@/lib/store/deletions/deletion-holds';
import { findJobsOfDeletion } from '@/lib/store/deletions/deletion-jobs';
import { getStoredDeletion, type StoredDeletion, updateDeletion } from '@/lib/store/deletions/deletions';
import { getInstanceRow } from '@/lib/store/instances';
import { findStoredJobs } from '@/lib/store/jobs';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { readObservedNow } from '@/lib/store/settings/observed-clock';

/**
 * A person declares that a server is lost for good with the tombstones on it, so that its instance can be removed. This
 * is possible only while no server answers in its place; otherwise the tombstones can be undone. Keys whose deletion
 * has begun get the state `given_up`. Archives stay until their retention ends, and so does the record: if the server
 * is registered again, its tombstones can be undone again. Errors: `forbidden`, `not_found`, `wrong_phrase`,
 * `consent_missing`, `nothing_to_do`, `job_running`, `deletions_open` (the server answers).
 */
export const giveUp = verb(
  { needs: 'deletion.override', on: scopeToInstance, action: 'deletion.give_up', fresh: true },
  async (actor: Actor, instanceId: string, { confirm, consents }: GiveUp): Promise<GivenUp> => {
    const instance = await getInstanceRow(instanceId);
    if (!instance) throw new AppError('not_found', 'There is no such instance.', { instance: instanceId });
    const { name } = instance.settings;
    if (confirm !== name) throw new AppError('wrong_phrase', `Type ${name} to confirm.`, { phrase: name });
    if (!consents.includes('set_aside_lost'))
      throw new AppError('consent_missing', 'This requires the consent set_aside_lost.', {
        missing: ['set_aside_lost'],
      });
    const openDeletions = await listOpenDeletions(instanceId);
    if (openDeletions.length === 0)
      throw new AppError('nothing_to_do', 'No key of this instance is renamed (tombstone).', {});
    await assertNotReachable(openDeletions);
    const keys = sumKeys(openDeletions);
    const deletions = openDeletions.map(({ deletion }) => deletion.plan.id);
    // This is recorded before the first item, so that the same action can continue after an interruption.
    await runTransaction(async (tx) => {
      await assertNoneRunning(instanceId, tx);
      const entry = { action: 'deletion.give_up', subject: instanceId, instanceId, actor };
      await recordAudit(tx, { ...entry, outcome: 'intent', details: { name, keys, deletions, consents } });
      for (const id of deletions)
        for (const { job } of await findJobsOfDeletion(id, ['paused'], tx)) await endJob(actor, job.id, tx);
    });
    for (const { deletion } of openDeletions) await giveUpDeletion(actor, deletion);
    return { keys, deletions };
  },
);

/** Returns the deletions that still have keys on the server, and how many. */
async function listOpenDeletions(instanceId: string): Promise<{ deletion: StoredDeletion; keys: number }[]> {
  const openDeletions = [];
  for (const { id, keys } of await findOpenDeletions(instanceId, await holdClock())) {
    const deletion = await getStoredDeletion(id);
    if (deletion) openDeletions.push({ deletion, keys });
  }
  return openDeletions;
}

const sumKeys = (deletions: readonly { keys: number }[]) => deletions.reduce((sum, { keys }) => sum + keys, 0);

async function assertNotReachable(openDeletions: { deletion: StoredDeletion; keys: number }[]): Promise<void> {
  const answeringAddress = await findAnsweringServer(openDeletions.map(({ deletion }) => deletion));
  if (!answeringAddress) return;
  throw new AppError(
    'deletions_open',
    `The server of these keys answers (${answeringAddress}): nothing of it is lost. Undo these deletions, or let them end.`,
    {
      keys: sumKeys(openDeletions),
      deletions: openDeletions.map(({ deletion }) => deletion.plan.id),
    },
  );
}

/** Throws if a job is not paused: one that waits for the server may get its answer at any moment. */
async function assertNoneRunning(instanceId: string, tx: Tx): Promise<void> {
  const states = OPEN_STATES.filter((state) => state !== 'paused');
  const [active] = await findStoredJobs({ instanceId, kind: 'deletion', states, limit: 1 }, tx);
  if (!active) return;
  const { id, kind, state } = active.job;
  throw new AppError('job_running', `A ${kind} of this instance is ${state}. Cancel it first.`, {
    job: id,
    kind,
    state,
  });
}

async function giveUpDeletion(actor: Actor, { plan, state, undoUntil }: StoredDeletion): Promise<void> {
  const now = Date.now();
  const hours = 'retentionHours' in plan.options ? plan.options.retentionHours : 0;
  const undoableUntil = (await readObservedNow()) + hours * HOUR_MS;
  const reason = createCodedMessage('given_up', { by: actor.name });
  while ((await giveUpItems(plan.id, { reason, endedAt: now, undoUntil: undoableUntil })) > 0) await pause();
  await runTransaction(async (tx) => {
    await assertNoneRunning(plan.instanceId, tx);
    await updateDeletion(
      plan.id,
      {
        plan: { ...plan, givenUp: { at: now, by: actor.name } },
        undoUntil: Math.max(undoableUntil, undoUntil ?? 0),
        ...(state === 'started' && { state: 'cancelled', endedAt: now }),
      },
      tx,
    );
  });
}
