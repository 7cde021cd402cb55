import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { LeftoversParams } from '@/lib/deletions/run/leftovers-checkpoint';
import { createJob } from '@/lib/jobs/create-job';
import { roleAllows } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Job } from '@/lib/model/job';
import { getInstanceRow } from '@/lib/store/instances';

/**
 * Queues a search for internal keys. It only reads, so a read-only instance may be searched. If an administrator of all
 * instances starts it, the search also assigns to the instance the deletions of removed instances whose keys its server
 * seems to have (`claimDeletions`). Errors: `not_found`, `forbidden` (viewer), `job_running` (names the search that is
 * running).
 */
export const startLeftoversSearch = verb(
  { needs: 'scan.run', on: scopeToInstance, action: 'job.create' },
  async (actor: Actor, instanceId: string): Promise<Job> => {
    const instance = await getInstanceRow(instanceId);
    if (instance === null) throw new AppError('not_found', 'There is no such instance.', { id: instanceId });
    return createJob(actor, {
      kind: 'leftovers',
      instanceId,
      instanceName: instance.settings.name,
      speed: 'gentle',
      params: { byAdministrator: roleAllows(actor.role, 'deletion.override') } satisfies LeftoversParams,
    });
  },
);
