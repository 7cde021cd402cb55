import { handle, WithId as params } from '@/lib/http/handle';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { removeSnapshot } from '@/lib/scans/remove-snapshot';

export const GET = handle({ params }, async ({ actor, params }) => ({ snapshot: await getSnapshot(actor, params.id) }));
export const DELETE = handle({ params }, async ({ actor, params }) => ({
  snapshot: await removeSnapshot(actor, params.id),
}));
