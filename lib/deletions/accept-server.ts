import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToDeletion } from '@/lib/access/auth/verb-scopes';
import { getJournal } from '@/lib/deletions/journal/write-journal';
import { formatServerAddresses } from '@/lib/deletions/run/judge-server-identity';
import { requeueJob } from '@/lib/jobs/resume-job';
import { PERMISSIONS, roleAllows } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import type { Deletion } from '@/lib/model/deletions/deletion';
import { isDeletingJob } from '@/lib/model/deletions/is-deleting-job';
import { AppError } from '@/lib/model/errors';
import { ACTIVE_STATES } from '@/lib/model/job-states';
import { isSameRegistration, type ServerAcceptance, type ServerIdentity } from '@/lib/model/servers/server-identity';
import { listItems, updateItems } from '@/lib/store/deletions/deletion-items';
import { findJobsOfDeletion } from '@/lib/store/deletions/deletion-jobs';
import {
  getLatestStart,
  getStoredDeletion,
  type StoredDeletion,
  updateDeletion,
} from '@/lib/store/deletions/deletions';
import { updateJob } from '@/lib/store/jobs';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { compareWithAnswering } from './compare-servers';
import { getDeletion, getDeletionOrThrow } from './get-deletion';
import { assertMayWrite } from './start-deletion';

/**
 * A person confirms that the server that answers now is the right one, although neither its run id nor its replication
 * id is known: after a restore, a migration or a failover that Colonnade did not see. The acceptance holds for exactly
 * the identity that was shown, and only while that server answers: nothing is accepted in advance, and a server whose
 * identity changes again has to be accepted again. The job that waits for it continues. Keys whose deletion had begun
 * are looked up under both names; a key that is under neither is not taken for deleted. The approval of a second person
 * was for the server before: if the instance requires a second person, jobs that delete wait until this server is
 * approved too. Errors: `forbidden`, `not_found`, `read_only`, `panic`, `wrong_phrase`, `conflict` (nothing to accept,
 * or not the server that was shown), `job_running`, and those of connecting.
 */
export const acceptServer = verb(
  { needs: 'deletion.override', on: scopeToDeletion, action: 'deletion.accept_server', fresh: true },
  async (actor: Actor, id: string, acceptance: ServerAcceptance): Promise<Deletion> => {
    const deletion = await getDeletionOrThrow(id);
    const { plan, state } = deletion;
    // Only those who may change where an instance points to may do this.
    const { settings } = await assertMayWrite(plan.instanceId);
    if (acceptance.confirm !== settings.name)
      throw new AppError('wrong_phrase', `Type ${settings.name} to confirm.`, { phrase: settings.name });
    if (state === 'planned')
      throw new AppError('conflict', 'Nothing has been deleted yet: make a new plan for the server that answers now.', {
        deletion: id,
        state,
      });
    const { was: knownServer, is: answeringServer, verdict, seen: fingerprint } = await compareWithAnswering(deletion);
    if (verdict !== 'other')
      throw new AppError('conflict', 'The server that answers is the one this deletion belongs to.', { deletion: id });
    // At another address, only the ids that the server reports link it to what was archived elsewhere.
    if (
      (plan.claimedElsewhere || !isSameRegistration(knownServer, answeringServer)) &&
      !roleAllows(actor.role, 'deletion.override')
    )
      throw new AppError(
        'forbidden',
        'Only an administrator of all instances can accept a server at another address.',
        { needs: PERMISSIONS['deletion.override'] },
      );
    if (fingerprint !== acceptance.seen)
      throw new AppError('conflict', 'A different server answers than the one that was shown. Compare again.', {
        deletion: id,
        is: formatServerAddresses(answeringServer),
      });
    await runTransaction(async (tx) => {
      const current = await assertUnchanged(deletion, tx);
      const { claimedElsewhere: _, ...planWithoutClaim } = current.plan;
      const formerApprover = current.approval?.decidedBy;
      const details = {
        was: toAuditIds(knownServer),
        is: toAuditIds(answeringServer),
        ...(formerApprover && { approvedBefore: formerApprover.name }),
      };
      const entry = { action: 'deletion.accept_server', subject: id, instanceId: plan.instanceId, actor };
      await recordAudit(tx, { ...entry, outcome: 'intent', details });
      // Each acceptance has its own time: an approval names the acceptance it is for by this time.
      const acceptedAt = Math.max(
        Date.now(),
        (await getLatestStart(id, tx)) ?? 0,
        (current.plan.accepted?.at ?? 0) + 1,
      );
      const accepted = {
        at: acceptedAt,
        by: actor.name,
        byId: actor.id,
        was: formatServerAddresses(knownServer),
        is: formatServerAddresses(answeringServer),
      };
      await updateDeletion(
        id,
        { server: answeringServer, plan: { ...planWithoutClaim, accepted }, approval: null },
        tx,
      );
      await forgetRenames(id, tx);
      await requeueWaitingJob(actor, current, tx);
    });
    return getDeletion(actor, id);
  },
);

/** Requeues the job that waited for this server, or lets it wait for the second person from now on. */
async function requeueWaitingJob(actor: Actor, { plan }: StoredDeletion, tx: Tx): Promise<void> {
  const pausedJobs = await findJobsOfDeletion(plan.id, ['paused'], tx);
  const waiting = pausedJobs.find(({ job }) => job.reason?.code === 'other_server');
  if (!waiting) return;
  const { job, params } = waiting;
  const needsSecondPerson = (await getProtectedInstance(plan.instanceId, tx))?.settings.secondPerson ?? true;
  if (needsSecondPerson && isDeletingJob(job.kind, params))
    await updateJob(job.id, { reason: { code: 'approval_needed', params: {}, since: Date.now() } }, tx);
  else await requeueJob(actor, job.id, tx);
}

/** Checks that nobody has continued the deletion or accepted another server while this server was being compared. */
async function assertUnchanged({ plan, server }: StoredDeletion, tx: Tx): Promise<StoredDeletion> {
  const [active] = await findJobsOfDeletion(plan.id, ACTIVE_STATES, tx);
  if (active)
    throw new AppError('job_running', 'This deletion is running. Pause it first.', {
      job: active.job.id,
      kind: active.job.kind,
      state: active.job.state,
    });
  const current = await getStoredDeletion(plan.id, tx);
  if (!current || JSON.stringify(current.server) !== JSON.stringify(server))
    throw new AppError('conflict', 'A different server has answered meanwhile. Compare again.', {
      deletion: plan.id,
    });
  return current;
}

/** How many items are read and written at once. */
const ITEMS_PER_PAGE = 500;

/**
 * Drops the last rename of an undo from the journals: it was sent to the server before, so it does not show what is
 * under its name on this one.
 */
async function forgetRenames(deletionId: string, tx: Tx): Promise<void> {
  for (let afterSeq = -1; ; ) {
    const page = await listItems({ deletionId, states: ['restoring'], afterSeq, limit: ITEMS_PER_PAGE }, tx);
    const writes = page.map((item) => {
      const { renaming: _, deadline: __, ...journal } = getJournal(item);
      return { seq: item.seq, patch: { journal } };
    });
    await updateItems(deletionId, writes, tx);
    if (page.length < ITEMS_PER_PAGE) return;
    afterSeq = page.at(-1)?.seq ?? afterSeq;
  }
}

/** The server as the audit log records it: addresses, run ids and replication ids. */
const toAuditIds = (server: ServerIdentity) => ({
  place: formatServerAddresses(server),
  masters: server.nodes
    .filter(({ role }) => role === 'master')
    .map(({ address, runId, replicationId }) => [address, runId ?? '?', replicationId ?? '?'].join(' ')),
});
