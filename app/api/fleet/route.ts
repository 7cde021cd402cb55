import { handle } from '@/lib/http/handle';
import { getFleet } from '@/lib/instances/get-fleet';
import { FleetQuery } from '@/lib/model/reports/file-query';
import { filterFleet } from '@/lib/model/reports/fleet-filter';

export const GET = handle(
  {
    summary: 'Every instance with its latest snapshot, running jobs and key count over time; under a filter.',
    answer: 'rows.',
    query: FleetQuery,
  },
  async ({ actor, query }) => ({
    rows: filterFleet(await getFleet(actor), query),
  }),
);
