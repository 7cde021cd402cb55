import { z } from 'zod';
import { inFormat } from '@/app/api/in-format';
import { handle, Id } from '@/lib/http/handle';
import { exportKeyFacts } from '@/lib/instances/export/export-key';
import { readLiveKey } from '@/lib/instances/read-live-key';
import { KeyFileQuery as query } from '@/lib/model/reports/file-query';

const params = z.object({ id: Id, k: z.string().max(100_000) });

export const GET = handle(
  {
    summary: 'One key on the live server: its facts, no byte of its value.',
    answer: 'key, or the file of its facts.',
    params,
    query,
  },
  ({ actor, params: { id, k }, query: { db, format }, ...asked }) => {
    const facts = async () => ({ key: await readLiveKey(actor, id, k, db) });
    return inFormat(asked, format, facts, (shape) => exportKeyFacts(actor, id, { ...shape, k, db }));
  },
);
