import { inFormatAndOrder } from '@/app/api/in-format';
import { exportLeftovers } from '@/lib/deletions/export/export-leftovers';
import { getLeftovers } from '@/lib/deletions/get-leftovers';
import { startLeftoversSearch } from '@/lib/deletions/start-leftovers-search';
import { handle, WithId as params } from '@/lib/http/handle';
import { LeftoversQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle({ params, query }, ({ actor, params: { id }, query: { format, ...order }, ...asked }) => {
  const list = () => getLeftovers(actor, id);
  return inFormatAndOrder(asked, { format, order }, list, (shape) => exportLeftovers(actor, id, shape));
});
export const POST = handle({ params, status: 202 }, async ({ actor, params: { id } }) => ({
  job: await startLeftoversSearch(actor, id),
}));
