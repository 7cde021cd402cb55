import { verb } from '@/lib/access/auth/verb';
import { ofJob } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Job } from '@/lib/model/job';
import { findJob, getStoredJob, type StoredJob } from '@/lib/store/jobs';
import type { Tx } from '@/lib/store/open-store';
import { asTheyWait } from './as-it-waits';

export const getJob = verb({ needs: 'instance.read', on: ofJob }, async (_actor: Actor, id: string): Promise<Job> => {
  const [job] = await asTheyWait([(await findJob(id)) ?? missing(id)]);
  return job ?? missing(id);
});

export async function storedJobOrThrow(id: string, tx?: Tx): Promise<StoredJob> {
  return (await getStoredJob(id, tx)) ?? missing(id);
}

function missing(id: string): never {
  throw new AppError('not_found', 'There is no such job.', { job: id });
}
