import { createHash } from 'node:crypto';
import type { StoredJob } from '@/lib/store/jobs';
import type { JobKind } from './job-kind';

/** After this many takeovers of a job without progress, the job is paused until a person has looked at it. */
export const MAX_TAKEOVERS = 5;
/** Takeovers are forgotten after this many ms: processes that ended so far apart were not ended by the job. */
const FORGOTTEN_MS = 24 * 3_600_000;

/**
 * Returns the number of takeovers of a job, including this one, since it last made progress. A job that kills its
 * process at the same step each time would otherwise move from one process to the next forever.
 */
export async function countTakeover(
  stored: StoredJob,
  kind: JobKind | undefined,
  now: number,
): Promise<StoredJob['takeovers']> {
  const stands = (await kind?.describeProgress?.(stored)) ?? JSON.stringify(stored.checkpoint);
  const at = createHash('sha256').update(stands).digest('base64url');
  const { takeovers } = stored;
  const isSame = takeovers?.at === at && now - takeovers.since < FORGOTTEN_MS;
  return isSame ? { ...takeovers, count: takeovers.count + 1 } : { at, count: 1, since: now };
}
