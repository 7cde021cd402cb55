import { verb } from '@/lib/access/auth/verb';
import { scopeToJob } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Job } from '@/lib/model/job';
import { findJob, getStoredJob, type StoredJob } from '@/lib/store/jobs';
import type { Tx } from '@/lib/store/open-store';
import { addWaitReasons } from './add-wait-reasons';

export const getJob = verb(
  { needs: 'instance.read', on: scopeToJob },
  async (_actor: Actor, id: string): Promise<Job> => {
    const [job] = await addWaitReasons([(await findJob(id)) ?? throwMissing(id)]);
    return job ?? throwMissing(id);
  },
);

export async function getStoredJobOrThrow(id: string, tx?: Tx): Promise<StoredJob> {
  return (await getStoredJob(id, tx)) ?? throwMissing(id);
}

function throwMissing(id: string): never {
  throw new AppError('not_found', 'There is no such job.', { job: id });
}
