import { verb } from '@/lib/auth/verb';
import { ofJob } from '@/lib/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Job } from '@/lib/model/job';
import { getStoredJob, type StoredJob } from '@/lib/store/jobs';
import type { Tx } from '@/lib/store/open-store';
import { asItWaits } from './as-it-waits';

export const getJob = verb({ needs: 'instance.read', on: ofJob }, async (_actor: Actor, id: string): Promise<Job> => {
  return asItWaits((await storedJobOrThrow(id)).job);
});

export async function storedJobOrThrow(id: string, tx?: Tx): Promise<StoredJob> {
  const stored = await getStoredJob(id, tx);
  if (!stored) throw new AppError('not_found', 'There is no such job.', { job: id });
  return stored;
}
