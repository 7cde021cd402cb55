import { inFormatAndOrder } from '@/app/api/in-format';
import { exportLeftovers } from '@/lib/deletions/export/export-leftovers';
import { getLeftovers } from '@/lib/deletions/get-leftovers';
import { startLeftoversSearch } from '@/lib/deletions/start-leftovers-search';
import { handle, WithId as params } from '@/lib/http/handle';
import { LeftoversQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'Result of the latest search for internal keys, with the deletion that owns each.',
    answer: 'search (null: never searched), leftovers, or the file of these.',
    params,
    query,
  },
  ({ actor, params: { id }, query: { format, ...order }, ...asked }) => {
    const list = () => getLeftovers(actor, id);
    return inFormatAndOrder(asked, { format, order }, list, (shape) => exportLeftovers(actor, id, shape));
  },
);
export const POST = handle(
  {
    summary: 'Search the servers for internal keys, throttled; one search of an instance at a time.',
    answer: 'job',
    params,
    status: 202,
  },
  async ({ actor, params: { id } }) => ({
    job: await startLeftoversSearch(actor, id),
  }),
);
