import { createHash } from 'node:crypto';
import type { StoredJob } from '@/lib/store/jobs';
import type { JobKind } from './kind';

/** So many processes may end with a job that comes no further; then a person looks before it takes another one. */
export const MAX_TAKEOVERS = 5;
/** What ended its processes so long apart was not the job. */
const FORGOTTEN_MS = 24 * 3_600_000;

/**
 * The takeovers of a job, this one among them, since it stood elsewhere than now. What kills its process at the same
 * step each time would go from one to the next for ever.
 */
export async function countTakeover(
  stored: StoredJob,
  kind: JobKind | undefined,
  now: number,
): Promise<StoredJob['takeovers']> {
  const stands = (await kind?.standing?.(stored)) ?? JSON.stringify(stored.checkpoint);
  const at = createHash('sha256').update(stands).digest('base64url');
  const { takeovers } = stored;
  const isSame = takeovers?.at === at && now - takeovers.since < FORGOTTEN_MS;
  return isSame ? { ...takeovers, count: takeovers.count + 1 } : { at, count: 1, since: now };
}
