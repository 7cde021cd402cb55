import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { getInstance } from '@/lib/instances/get-instance';
import { listSnapshots } from '@/lib/scans/list-snapshots';

export const GET = handle({ params: z.object({ id: Id }) }, async ({ actor, params: { id } }) => {
  await getInstance(actor, id);
  return { snapshots: await listSnapshots(actor, id) };
});
