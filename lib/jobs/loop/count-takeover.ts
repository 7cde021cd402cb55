import { createHash } from 'node:crypto';
import type { StoredJob } from '@/lib/store/jobs';
import type { JobKind } from './kind';

/** So many processes may end with a job that comes no further; then a person looks before it takes another one. */
export const MAX_TAKEOVERS = 5;

/**
 * The takeovers of a job, this one among them, since it stood elsewhere than now. What kills its process at the same
 * step each time would go from one to the next for ever.
 */
export async function countTakeover(stored: StoredJob, kind: JobKind | undefined): Promise<StoredJob['takeovers']> {
  const stands = (await kind?.standing?.(stored)) ?? JSON.stringify(stored.checkpoint);
  const at = createHash('sha256').update(stands).digest('base64url');
  const before = stored.takeovers?.at === at ? stored.takeovers.count : 0;
  return { at, count: before + 1 };
}
