import { listDeletions } from '@/lib/deletions/get-deletion';
import { startDeletion } from '@/lib/deletions/start-deletion';
import { handle } from '@/lib/http/handle';
import { Confirmation } from '@/lib/model/deletions/plan-request';
import { ListQuery } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'List the newest 100 plans and deletions.',
    answer: 'deletions: plans and deletions, newest first.',
    query: ListQuery,
  },
  async ({ actor, query }) => ({
    deletions: await listDeletions(actor, query),
  }),
);
export const POST = handle(
  {
    summary:
      'Confirm a plan with the typed phrase and the consents. Starts its job; a job that waits for a missing consent continues.',
    answer: 'deletion: the deletion, with its job.',
    body: Confirmation,
    status: 201,
  },
  async ({ actor, body }) => ({
    deletion: await startDeletion(actor, body),
  }),
);
