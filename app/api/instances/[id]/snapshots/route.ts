import { handle, WithId as params } from '@/lib/http/handle';
import { listSnapshots } from '@/lib/scans/list-snapshots';

export const GET = handle(
  { summary: 'Snapshots, newest first.', answer: 'snapshots.', params },
  async ({ actor, params: { id } }) => ({
    snapshots: await listSnapshots(actor, id),
  }),
);
