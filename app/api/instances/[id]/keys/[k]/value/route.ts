import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { previewLiveKey } from '@/lib/instances/read-live-key';
import { ValueRequest } from '@/lib/model/value-reason';

const params = z.object({ id: Id, k: z.string().max(100_000) });

export const POST = handle({ params, body: ValueRequest }, async ({ actor, params: { id, k }, body }) => ({
  key: await previewLiveKey(actor, id, { k, db: body.db, reason: body.reason ?? null }),
}));
