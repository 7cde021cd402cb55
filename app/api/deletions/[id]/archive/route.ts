import { z } from 'zod';
import { exportArchive } from '@/lib/deletions/export/export-archive';
import { createDownload } from '@/lib/http/download';
import { handle, WithId } from '@/lib/http/handle';
import { numeric } from '@/lib/model/filter';
import { ValueReason } from '@/lib/model/value-reason';

const query = z.object({ seq: numeric(z.number().int().min(0)).optional(), reason: ValueReason.optional() });

export const GET = handle(
  {
    summary:
      'Download what a deletion has archived: of all keys, or of one (seq). Each call is recorded in the audit log; on a production instance it needs a reason.',
    answer: 'JSON Lines: each key, followed by its elements.',
    contentType: 'application/x-ndjson',
    params: WithId,
    query,
  },
  async ({ actor, params, query, stillSignedIn }) =>
    createDownload(
      await exportArchive(actor, params.id, { seq: query.seq ?? null, reason: query.reason ?? null }),
      stillSignedIn,
    ),
);
