import { z } from 'zod';
import { exportArchive } from '@/lib/deletions/export/export-archive';
import { createDownload } from '@/lib/http/download';
import { handle, Id } from '@/lib/http/handle';
import { numeric } from '@/lib/model/filter';
import { ValueReason } from '@/lib/model/value-reason';

const query = z.object({ seq: numeric(z.number().int().min(0)).optional(), reason: ValueReason.optional() });

export const GET = handle(
  {
    summary: 'The archive as JSON Lines; seq: of one key. On record each time; on production with a reason only.',
    answer: 'JSON Lines: a key, then its elements.',
    contentType: 'application/x-ndjson',
    params: z.object({ id: Id }),
    query,
  },
  async ({ actor, params, query, stillSignedIn }) =>
    createDownload(
      await exportArchive(actor, params.id, { seq: query.seq ?? null, reason: query.reason ?? null }),
      stillSignedIn,
    ),
);
