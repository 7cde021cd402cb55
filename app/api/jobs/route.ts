import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { listJobs } from '@/lib/jobs/list-jobs';

const query = z.object({ instanceId: Id.optional(), active: z.enum(['0', '1']).default('0') });

export const GET = handle({ query }, async ({ actor, query: { instanceId, active } }) => ({
  jobs: await listJobs(actor, { instanceId, active: active === '1' }),
}));
