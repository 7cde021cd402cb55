import { inFormatAndOrder } from '@/app/api/in-format';
import { exportDeletions } from '@/lib/deletions/export/export-deletions';
import { listDeletions } from '@/lib/deletions/get-deletion';
import { startDeletion } from '@/lib/deletions/start-deletion';
import { handle } from '@/lib/http/handle';
import { Confirmation } from '@/lib/model/deletions/plan-request';
import { DeletionsQuery } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'The newest 100 plans and deletions; a file has 1,000, sorted by a column of the page.',
    answer: 'deletions, or the file.',
    query: DeletionsQuery,
  },
  ({ actor, query: { format, instanceId, ...order }, ...asked }) => {
    const list = async () => ({ deletions: await listDeletions(actor, { instanceId }) });
    return inFormatAndOrder(asked, { format, order }, list, (shape) => exportDeletions(actor, { instanceId }, shape));
  },
);
export const POST = handle(
  {
    summary:
      'Confirm a plan: the typed phrase and the consents. Starts the job; a job that waits for a missing consent continues.',
    answer: 'The deletion with its job.',
    body: Confirmation,
    status: 201,
  },
  async ({ actor, body }) => ({
    deletion: await startDeletion(actor, body),
  }),
);
