import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { createVisibilityFilter, scopeToDeletion, scopeToInstance, scopeToOwn } from '@/lib/access/auth/verb-scopes';
import { getEmergencyStopFile, refreshEmergencyStop } from '@/lib/deletions/executor/emergency-stop-state';
import { pauseJob } from '@/lib/jobs/pause-job';
import type { Actor } from '@/lib/model/actor';
import type { EmergencyStopState } from '@/lib/model/deletions/deletion';
import { AppError } from '@/lib/model/errors';
import { ACTIVE_STATES } from '@/lib/model/job-states';
import { findJobsOfDeletion } from '@/lib/store/deletions/deletion-jobs';
import { getInstanceRow, listInstanceRows } from '@/lib/store/instances';
import { findStoredJobs } from '@/lib/store/jobs';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { readEmergencyStop, type StoredEmergencyStop, writeEmergencyStop } from '@/lib/store/settings/emergency-stop';
import { getDeletionOrThrow } from './get-deletion';

type EmergencyStopScope = { instanceId?: string | undefined; deletionId?: string | undefined };

/**
 * Stops every write: everywhere, on one instance, or of one deletion. At most the command that is already sent is still
 * answered. The stop stays until it is cleared; a single deletion is paused instead.
 */
export const emergencyStop = verb(
  {
    needs: 'stop.set',
    on: ({ deletionId, instanceId }: EmergencyStopScope) =>
      deletionId === undefined ? scopeToInstance(instanceId ?? null) : scopeToDeletion(deletionId),
    action: 'panic',
    subject: ({ deletionId, instanceId }: EmergencyStopScope) => deletionId ?? instanceId ?? 'everywhere',
  },
  async (actor: Actor, scope: EmergencyStopScope): Promise<EmergencyStopState> => {
    const subject = scope.deletionId ?? scope.instanceId ?? 'everywhere';
    const entry = { action: 'panic', subject, instanceId: scope.instanceId ?? null };
    if (scope.deletionId) {
      const { plan } = await getDeletionOrThrow(scope.deletionId);
      const jobs = await findJobsOfDeletion(plan.id, ACTIVE_STATES);
      const details = { jobs: jobs.map(({ job }) => job.id) };
      await runTransaction((tx) => recordAudit(tx, { ...entry, actor, instanceId: plan.instanceId, details }));
      for (const { job } of jobs) await pauseIfActive(actor, job.id);
      return readCurrentStop(actor);
    }
    if (scope.instanceId && (await getInstanceRow(scope.instanceId)) === null)
      throw new AppError('not_found', 'There is no such instance. Without an instance everything is stopped.', {
        instance: scope.instanceId,
      });
    const mark = { since: Date.now(), by: actor.name };
    await runTransaction(async (tx) => {
      await recordAudit(tx, { ...entry, actor, details: {} });
      const current = await dropUnknownInstances(await readEmergencyStop(tx), tx);
      const next: StoredEmergencyStop = scope.instanceId
        ? { ...current, instances: { ...current.instances, [scope.instanceId]: mark } }
        : { ...current, everywhere: mark };
      await writeEmergencyStop(next, tx);
    });
    await refreshEmergencyStop();
    // Queued jobs are paused too: they would begin only to stop again.
    const query = {
      kind: 'deletion',
      states: ACTIVE_STATES,
      ...(scope.instanceId && { instanceId: scope.instanceId }),
    };
    for (const { job } of await findStoredJobs(query)) await pauseIfActive(actor, job.id);
    return readCurrentStop(actor);
  },
);

/** A job that has ended meanwhile or is being cancelled stops by itself. */
async function pauseIfActive(actor: Actor, jobId: string): Promise<void> {
  await pauseJob(actor, jobId).catch((error) => {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
  });
}

/** The stop of a single deletion is a pause, so there is nothing to clear. */
type ClearScope = Pick<EmergencyStopScope, 'instanceId'>;

/**
 * Clears the stop. Paused jobs stay paused until they are resumed, but a purge that is due begins; therefore production
 * requires the password. Without an instance, the flag file is deleted too.
 */
export const clearEmergencyStop = verb(
  {
    needs: 'stop.clear',
    on: ({ instanceId }: ClearScope) => scopeToInstance(instanceId ?? null),
    action: 'panic.lift',
    subject: ({ instanceId }: ClearScope) => instanceId ?? 'everywhere',
    fresh: async ({ instanceId }: ClearScope) =>
      instanceId !== undefined || !(await hasProductionInstance()) || ('always' as const),
  },
  async (actor: Actor, scope: ClearScope): Promise<EmergencyStopState> => {
    await runTransaction(async (tx) => {
      await recordAudit(tx, {
        action: 'panic.lift',
        subject: scope.instanceId ?? 'everywhere',
        instanceId: scope.instanceId ?? null,
        actor,
        details: {},
      });
      const current = await dropUnknownInstances(await readEmergencyStop(tx), tx);
      const { [scope.instanceId ?? '']: _, ...others } = current.instances;
      const next: StoredEmergencyStop = scope.instanceId
        ? { ...current, instances: others }
        : { ...current, everywhere: null };
      await writeEmergencyStop(next, tx);
    });
    if (!scope.instanceId)
      await rm(getEmergencyStopFile(), { force: true }).catch((error) => {
        throw new AppError(
          'data_folder',
          `The file ${basename(getEmergencyStopFile())} in the data folder could not be removed. Remove it by hand.`,
          {},
          { cause: error },
        );
      });
    await refreshEmergencyStop();
    return readCurrentStop(actor);
  },
);

const hasProductionInstance = async () => (await listInstanceRows()).some(({ settings }) => settings.production);

/**
 * An instance that is no longer registered requires no stop, and nobody could clear it: its stop is forgotten with the
 * next stop or clearing.
 */
async function dropUnknownInstances(stored: StoredEmergencyStop, tx?: Tx): Promise<StoredEmergencyStop> {
  const instances: StoredEmergencyStop['instances'] = {};
  for (const [id, mark] of Object.entries(stored.instances))
    if ((await getInstanceRow(id, tx)) !== null) instances[id] = mark;
  return { ...stored, instances };
}

/** Returns whether writes are stopped, and by whom. Stopped instances are listed only if the actor may see them. */
export const getEmergencyStopState = verb({ needs: 'account.use', on: scopeToOwn }, readCurrentStop);

async function readCurrentStop(actor: Actor): Promise<EmergencyStopState> {
  const maySee = await createVisibilityFilter(actor);
  const { everywhere, instances } = await dropUnknownInstances(await readEmergencyStop());
  const file = statSync(getEmergencyStopFile(), { throwIfNoEntry: false });
  return {
    everywhere: everywhere !== null || file !== undefined,
    since: everywhere?.since ?? file?.mtimeMs ?? null,
    by: everywhere?.by ?? (file ? 'flag file' : null),
    instances: Object.entries(instances)
      .filter(([instanceId]) => maySee(instanceId))
      .map(([instanceId, mark]) => ({ instanceId, ...mark })),
    flagFile: basename(getEmergencyStopFile()),
  };
}
