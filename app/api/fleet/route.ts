import { inFormatAndOrder } from '@/app/api/in-format';
import { handle } from '@/lib/http/handle';
import { exportFleet } from '@/lib/instances/export/export-fleet';
import { fleet } from '@/lib/instances/fleet';
import { FleetQuery } from '@/lib/model/reports/file-query';
import { filterFleet } from '@/lib/model/reports/fleet-filter';

export const GET = handle(
  {
    summary:
      'Every instance with its latest snapshot, running jobs and key count over time; under a filter. A file can be sorted by a column of the page, and grouped.',
    answer: 'rows, or the file.',
    query: FleetQuery,
  },
  ({ actor, query: { format, q, env, tag, ...order }, ...asked }) => {
    const filter = { q, env, tag };
    const rows = async () => ({ rows: filterFleet(await fleet(actor), filter) });
    return inFormatAndOrder(asked, { format, order }, rows, (shape) => exportFleet(actor, filter, shape));
  },
);
