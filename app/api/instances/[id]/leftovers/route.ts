import { getLeftovers } from '@/lib/deletions/get-leftovers';
import { startLeftoversSearch } from '@/lib/deletions/start-leftovers-search';
import { handle, WithId as params } from '@/lib/http/handle';

export const GET = handle(
  {
    summary: 'Result of the newest search for internal keys on the servers of an instance.',
    answer:
      'search: its job and how far it is (null = there was none). leftovers: the keys that were found, and whether a deletion owns each.',
    params,
  },
  ({ actor, params: { id } }) => getLeftovers(actor, id),
);
export const POST = handle(
  {
    summary: 'Search the servers of an instance for internal keys, throttled. An instance has one search at a time.',
    answer: 'job: the job that was queued.',
    params,
    status: 202,
  },
  async ({ actor, params: { id } }) => ({
    job: await startLeftoversSearch(actor, id),
  }),
);
