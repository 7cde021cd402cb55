import { handle, WithId as params } from '@/lib/http/handle';
import { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { removeSnapshot } from '@/lib/scans/remove-snapshot';

export const GET = handle(
  {
    summary: 'One snapshot: its coverage, and the load that its scan added.',
    answer: 'snapshot: its manifest.',
    holds: { snapshot: SnapshotManifest },
    params,
  },
  async ({ actor, params }) => ({ snapshot: await getSnapshot(actor, params.id) }),
);
export const DELETE = handle(
  {
    summary: 'Delete a snapshot permanently.',
    answer: 'snapshot: the manifest of the snapshot that was deleted (null = it could not be read).',
    holds: { snapshot: SnapshotManifest },
    params,
  },
  async ({ actor, params }) => ({
    snapshot: await removeSnapshot(actor, params.id),
  }),
);
