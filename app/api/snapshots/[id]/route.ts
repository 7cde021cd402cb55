import { handle, WithId as params } from '@/lib/http/handle';
import { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { removeSnapshot } from '@/lib/scans/remove-snapshot';

export const GET = handle(
  {
    summary: 'Coverage of a snapshot and the load its scan added.',
    answer: 'The manifest.',
    holds: { snapshot: SnapshotManifest },
    params,
  },
  async ({ actor, params }) => ({ snapshot: await getSnapshot(actor, params.id) }),
);
export const DELETE = handle(
  {
    summary: 'Delete a snapshot.',
    answer: 'The manifest of what was removed.',
    holds: { snapshot: SnapshotManifest },
    params,
  },
  async ({ actor, params }) => ({
    snapshot: await removeSnapshot(actor, params.id),
  }),
);
