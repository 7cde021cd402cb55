import { verb } from '@/lib/access/auth/verb';
import { listVisibleInstanceIds, scopeToOwn } from '@/lib/access/auth/verb-scopes';
import { addWaitReasons } from '@/lib/jobs/statuses/add-wait-reasons';
import { OPEN_STATES } from '@/lib/jobs/statuses/assert-transition';
import type { Actor } from '@/lib/model/actor';
import type { Job } from '@/lib/model/job';
import { ENDED_STATES } from '@/lib/model/job-states';
import { findJobs } from '@/lib/store/jobs';

interface JobFilter {
  instanceId?: string | undefined;
  kind?: string | undefined;
  /** Only jobs that have not ended. A paused job counts, because a person has to resume or cancel it. */
  active?: boolean | undefined;
  /** Only jobs that have ended. */
  ended?: boolean | undefined;
  limit?: number | undefined;
}

/** Returns the jobs that the person may see, newest first. */
export const listJobs = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor, filter: JobFilter = {}): Promise<Job[]> => {
    const { instanceId, kind, active, ended, limit = 200 } = filter;
    const states = active ? OPEN_STATES : ended ? ENDED_STATES : undefined;
    const instanceIds = await listVisibleInstanceIds(actor);
    return addWaitReasons(await findJobs({ instanceId, instanceIds, kind, limit, states }));
  },
);
