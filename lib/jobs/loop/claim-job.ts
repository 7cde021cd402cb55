import { assertTransition, HELD_STATES } from '@/lib/jobs/statuses/assert-transition';
import { readClaimView, takeQueued } from '@/lib/store/claims/claims';
import { findStoredJobs, isShared, readStoreNow, type StoredJob, updateJob } from '@/lib/store/jobs';
import { runRowTransaction } from '@/lib/store/open-store';
import { chooseJobs } from './choose-jobs';
import type { ClaimLimits } from './rank-jobs';

export const NO_LIMITS: ClaimLimits = { labels: [] };
const NONE: ReadonlySet<string> = new Set();
/** How many times a process looks when others have taken all jobs that it saw. */
const LOOKS = 4;
const JITTER_MS = 15;

/**
 * Takes at most `slots` queued jobs, each with a fence higher than any before: the oldest, or the jobs of `chooseJobs`
 * if several processes share the store. Empty: there is nothing to take.
 */
export async function claimJobs(
  kinds: string[],
  owner: string,
  leaseMs: number,
  limits: ClaimLimits = NO_LIMITS,
  slots: number,
): Promise<StoredJob[]> {
  const claim = { kinds, owner, leaseMs, limits, slots };
  return (await isShared()) ? claimAmongOthers(claim) : claimAlone(claim);
}

interface Claim {
  kinds: string[];
  owner: string;
  leaseMs: number;
  limits: ClaimLimits;
  slots: number;
}

/**
 * Looks without a lock, and takes in one statement jobs that no other process has locked. A job has one holder because
 * its row is locked while it is taken.
 */
async function claimAmongOthers({ kinds, owner, leaseMs, limits, slots }: Claim): Promise<StoredJob[]> {
  for (let look = 1; ; look++) {
    const { ids, max } = chooseJobs(await readClaimView(kinds, HELD_STATES, limits.labels), limits, slots);
    if (max === 0) return [];
    const taken = await takeQueued(ids, max, { owner, leaseMs });
    if (taken.length > 0 || look === LOOKS) return taken;
    // The processes that were faster are taking jobs at this moment. A random wait keeps the others from looking again
    // at the same time.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * JITTER_MS));
  }
}

async function claimAlone({ kinds, owner, leaseMs, limits, slots }: Claim): Promise<StoredJob[]> {
  const query = { kinds, states: ['queued'] as const, oldestFirst: true };
  const { except = NONE } = limits;
  const free = ({ job }: StoredJob) => !except.has(job.id);
  // The first look is outside of the transaction: a write transaction every half second for nothing would delay
  // writers.
  if (!(await findStoredJobs({ ...query, limit: 1 + except.size })).some(free)) return [];
  return runRowTransaction(async (tx) => {
    const due = (await findStoredJobs({ ...query, limit: slots + except.size }, tx)).filter(free).slice(0, slots);
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

/** Takes one queued job; null: there is none. */
export async function claimJob(
  kinds: string[],
  owner: string,
  leaseMs: number,
  limits: ClaimLimits = NO_LIMITS,
): Promise<StoredJob | null> {
  return (await claimJobs(kinds, owner, leaseMs, limits, 1))[0] ?? null;
}
