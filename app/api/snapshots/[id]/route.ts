import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { removeSnapshot } from '@/lib/scans/remove-snapshot';

const params = z.object({ id: Id });

export const GET = handle({ params }, async ({ actor, params: { id } }) => ({
  snapshot: await getSnapshot(actor, id),
}));

export const DELETE = handle({ params }, async ({ actor, params: { id } }) => {
  // A damaged one can be removed too.
  const snapshot = await getSnapshot(actor, id).catch(() => null);
  await removeSnapshot(actor, id);
  return { snapshot };
});
