import { assertTransition, HELD_STATES } from '@/lib/jobs/statuses/assert-transition';
import { readClaimView, takeQueued } from '@/lib/store/claims/claims';
import { findStoredJobs, isShared, readStoreNow, type StoredJob, updateJob } from '@/lib/store/jobs';
import { runRowTransaction } from '@/lib/store/open-store';
import { type ClaimLimits, chooseJobs } from './rank-jobs';

const NO_JOBS: ReadonlySet<string> = new Set();
/** How many times a process tries to claim when others were faster each time. */
const MAX_ATTEMPTS = 4;
/** The longest random wait between two attempts, in ms; a claim is one statement and takes a few milliseconds. */
const MAX_JITTER_MS = 15;

export interface ClaimRequest {
  /** Names of the kinds that this process runs. */
  kinds: string[];
  /** The holder of the leases: `createProcessId`. */
  processId: string;
  leaseMs: number;
  limits: ClaimLimits;
  /** How many jobs this process can start now. */
  maxJobs: number;
}

/**
 * Takes at most `maxJobs` queued jobs, each with a fence higher than any before: the oldest ones, or those of
 * `chooseJobs` if several processes share the store. Returns an empty list if there is nothing to take.
 */
export async function claimJobs(request: ClaimRequest): Promise<StoredJob[]> {
  return (await isShared()) ? claimFromSharedStore(request) : claimFromOwnStore(request);
}

/**
 * Reads the queue without a lock, and takes in one statement jobs that no other process has locked. A job has one
 * holder because its row is locked while it is taken.
 */
async function claimFromSharedStore({
  kinds,
  processId,
  leaseMs,
  limits,
  maxJobs,
}: ClaimRequest): Promise<StoredJob[]> {
  for (let attempt = 1; ; attempt++) {
    const { jobIds, maxJobs: jobsToTake } = chooseJobs(
      await readClaimView(kinds, HELD_STATES, limits.labels),
      limits,
      maxJobs,
    );
    if (jobsToTake === 0) return [];
    const claimed = await takeQueued(jobIds, jobsToTake, { processId, leaseMs });
    if (claimed.length > 0 || attempt === MAX_ATTEMPTS) return claimed;
    // A random wait keeps the processes that were not fast enough from trying again at the same time.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_JITTER_MS));
  }
}

async function claimFromOwnStore({ kinds, processId, leaseMs, limits, maxJobs }: ClaimRequest): Promise<StoredJob[]> {
  const query = { kinds, states: ['queued'] as const, oldestFirst: true };
  const { excludedJobs = NO_JOBS } = limits;
  const isAllowed = ({ job }: StoredJob) => !excludedJobs.has(job.id);
  // The queue is read before the transaction begins: a write transaction every half second for nothing would delay
  // writers.
  if (!(await findStoredJobs({ ...query, limit: 1 + excludedJobs.size })).some(isAllowed)) return [];
  return runRowTransaction(async (tx) => {
    const queuedJobs = (await findStoredJobs({ ...query, limit: maxJobs + excludedJobs.size }, tx))
      .filter(isAllowed)
      .slice(0, maxJobs);
    const claimed: StoredJob[] = [];
    if (queuedJobs.length === 0) return claimed;
    const now = await readStoreNow(tx);
    for (const stored of queuedJobs) {
      const { id, state, startedAt } = stored.job;
      assertTransition(id, state, 'running');
      const lease = { holder: processId, fence: stored.lease.fence + 1, until: now + leaseMs };
      const patch = { state: 'running', startedAt: startedAt ?? now, reason: null, error: null } as const;
      await updateJob(id, { ...patch, lease }, tx);
      claimed.push({ ...stored, job: { ...stored.job, ...patch }, lease });
    }
    return claimed;
  });
}
