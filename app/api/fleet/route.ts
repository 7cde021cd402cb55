import { handle } from '@/lib/http/handle';
import { getFleet } from '@/lib/instances/get-fleet';

export const GET = handle(
  { summary: 'Every instance with its latest snapshot, running jobs and key count over time.', answer: 'rows.' },
  async ({ actor }) => ({
    rows: await getFleet(actor),
  }),
);
