import { handle } from '@/lib/http/handle';
import { getFleet } from '@/lib/instances/get-fleet';

export const GET = handle(
  {
    summary: 'List every instance with its newest snapshot, its running scan and its key count over time.',
    answer: 'rows: one per instance.',
  },
  async ({ actor }) => ({
    rows: await getFleet(actor),
  }),
);
