import type { Job } from '@/lib/model/job';
import { storeReadOnly } from '@/lib/store/keep-probing';

const GOING_ON = new Set<Job['state']>(['queued', 'running', 'waiting']);

/**
 * The job as it is while its store cannot be written: it waits, whatever the row says, which nobody can change. A
 * request to pause or cancel stays in sight.
 */
export function asItWaits(job: Job): Job {
  const refused = GOING_ON.has(job.state) ? storeReadOnly() : null;
  if (refused === null) return job;
  const reason = { code: 'store_read_only' as const, params: { cause: refused.cause }, since: refused.since };
  // A queued one has no run that waits; its reason says enough.
  return { ...job, state: job.state === 'queued' ? 'queued' : 'waiting', reason };
}
