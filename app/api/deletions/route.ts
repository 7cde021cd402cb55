import { inFormatAndOrder } from '@/app/api/in-format';
import { exportDeletions } from '@/lib/deletions/export/export-deletions';
import { listDeletions } from '@/lib/deletions/get-deletion';
import { startDeletion } from '@/lib/deletions/start-deletion';
import { handle } from '@/lib/http/handle';
import { Confirmation } from '@/lib/model/deletions/plan-request';
import { DeletionsQuery } from '@/lib/model/reports/file-query';

export const GET = handle({ query: DeletionsQuery }, ({ actor, query: { format, instanceId, ...order }, ...asked }) => {
  const list = async () => ({ deletions: await listDeletions(actor, { instanceId }) });
  return inFormatAndOrder(asked, { format, order }, list, (shape) => exportDeletions(actor, { instanceId }, shape));
});
export const POST = handle({ body: Confirmation, status: 201 }, async ({ actor, body }) => ({
  deletion: await startDeletion(actor, body),
}));
