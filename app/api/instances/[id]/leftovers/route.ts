import { getLeftovers } from '@/lib/deletions/get-leftovers';
import { startLeftoversSearch } from '@/lib/deletions/start-leftovers-search';
import { handle, WithId as params } from '@/lib/http/handle';

export const GET = handle(
  {
    summary: 'Result of the latest search for internal keys, with the deletion that owns each.',
    answer: 'search (null: never searched), leftovers.',
    params,
  },
  ({ actor, params: { id } }) => getLeftovers(actor, id),
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
