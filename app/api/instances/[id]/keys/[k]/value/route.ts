import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { previewLiveKey } from '@/lib/instances/read-live-key';
import { ValueRequest } from '@/lib/model/value-reason';

const params = z.object({ id: Id, k: z.string().max(100_000) });

export const POST = handle(
  {
    summary:
      'One key on the live server, with a bounded part of its value. Each call is recorded in the audit log; on a production instance it needs a reason.',
    answer: 'key: its facts, the verdict of the rules, and the part of the value.',
    params,
    body: ValueRequest,
  },
  async ({ actor, params: { id, k }, body: { db, reason = null } }) => ({
    key: await previewLiveKey(actor, id, { k, db, reason }),
  }),
);
