import { handle, WithId as params } from '@/lib/http/handle';
import { listSnapshots } from '@/lib/scans/list-snapshots';

export const GET = handle(
  {
    summary: 'List the snapshots of an instance, newest first.',
    answer: 'snapshots: a summary of each; that of a running scan is live.',
    params,
  },
  async ({ actor, params: { id } }) => ({
    snapshots: await listSnapshots(actor, id),
  }),
);
