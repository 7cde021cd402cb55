import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { previewLiveKey } from '@/lib/instances/read-live-key';
import { ValueRequest } from '@/lib/model/value-reason';

const params = z.object({ id: Id, k: z.string().max(100_000) });

export const POST = handle(
  {
    summary: 'The same with a bounded part of its value. On record each time; on production with a reason only.',
    answer: 'key.',
    params,
    body: ValueRequest,
  },
  async ({ actor, params: { id, k }, body: { db, reason = null } }) => ({
    key: await previewLiveKey(actor, id, { k, db, reason }),
  }),
);
