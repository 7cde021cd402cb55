import { assertTransition, HELD_STATES } from '@/lib/jobs/statuses/assert-transition';
import { readClaimView, takeQueued } from '@/lib/store/claims/claims';
import { findStoredJobs, isShared, readStoreNow, type StoredJob, updateJob } from '@/lib/store/jobs';
import { runRowTransaction } from '@/lib/store/open-store';
import { type ClaimLimits, chooseJobs } from './rank-jobs';

const NONE: ReadonlySet<string> = new Set();
/** How many times a process tries to claim when others were faster each time. */
const ATTEMPTS = 4;
/** The longest wait between two attempts, ms: a claim is one statement and takes a few milliseconds. */
const JITTER_MS = 15;

export interface Claim {
  /** Names of the kinds that this process runs. */
  kinds: string[];
  /** The holder of the leases (`createOwner`). */
  owner: string;
  leaseMs: number;
  limits: ClaimLimits;
  /** How many jobs this process can start now. */
  slots: number;
}

/**
 * Takes at most `slots` queued jobs, each with a fence higher than any before: the oldest ones, or those of
 * `chooseJobs` if several processes share the store. Returns an empty list if there is nothing to take.
 */
export async function claimJobs(claim: Claim): Promise<StoredJob[]> {
  return (await isShared()) ? claimAmongOthers(claim) : claimAlone(claim);
}

/**
 * Reads the queue without a lock, and takes in one statement jobs that no other process has locked. A job has one
 * holder because its row is locked while it is taken.
 */
async function claimAmongOthers({ kinds, owner, leaseMs, limits, slots }: Claim): Promise<StoredJob[]> {
  for (let attempt = 1; ; attempt++) {
    const { ids, max } = chooseJobs(await readClaimView(kinds, HELD_STATES, limits.labels), limits, slots);
    if (max === 0) return [];
    const taken = await takeQueued(ids, max, { owner, leaseMs });
    if (taken.length > 0 || attempt === ATTEMPTS) return taken;
    // A random wait keeps the processes that were not fast enough from trying again at the same time.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * JITTER_MS));
  }
}

async function claimAlone({ kinds, owner, leaseMs, limits, slots }: Claim): Promise<StoredJob[]> {
  const query = { kinds, states: ['queued'] as const, oldestFirst: true };
  const { except = NONE } = limits;
  const isAllowed = ({ job }: StoredJob) => !except.has(job.id);
  // The queue is read before the transaction begins: a write transaction every half second for nothing would delay
  // writers.
  if (!(await findStoredJobs({ ...query, limit: 1 + except.size })).some(isAllowed)) return [];
  return runRowTransaction(async (tx) => {
    const due = (await findStoredJobs({ ...query, limit: slots + except.size }, tx)).filter(isAllowed).slice(0, slots);
    const claimed: StoredJob[] = [];
    if (due.length === 0) return claimed;
    const now = await readStoreNow(tx);
    for (const next of due) {
      const { id, state, startedAt } = next.job;
      assertTransition(id, state, 'running');
      const lease = { owner, fence: next.lease.fence + 1, until: now + leaseMs };
      const patch = { state: 'running', startedAt: startedAt ?? now, reason: null, error: null } as const;
      await updateJob(id, { ...patch, lease }, tx);
      claimed.push({ ...next, job: { ...next.job, ...patch }, lease });
    }
    return claimed;
  });
}
