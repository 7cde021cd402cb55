import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { readLiveKey } from '@/lib/instances/read-live-key';
import { numeric } from '@/lib/model/filter';

const params = z.object({ id: Id, k: z.string().max(100_000) });
const query = z.object({ db: numeric(z.number().int().min(0).max(65_535)).default(0) });

export const GET = handle({ params, query }, async ({ actor, params: { id, k }, query: { db } }) => ({
  key: await readLiveKey(actor, id, k, db),
}));
