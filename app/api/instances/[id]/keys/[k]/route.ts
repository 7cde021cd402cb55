import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { readLiveKey } from '@/lib/instances/read-live-key';
import { KeyQuery as query } from '@/lib/model/reports/file-query';

const params = z.object({ id: Id, k: z.string().max(100_000) });

export const GET = handle(
  {
    summary: 'One key on the live server, without any byte of its value.',
    answer: 'key: its facts and the verdict of the rules.',
    params,
    query,
  },
  async ({ actor, params: { id, k }, query: { db } }) => ({
    key: await readLiveKey(actor, id, k, db),
  }),
);
