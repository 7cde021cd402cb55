import { z } from 'zod';
import { exportArchive } from '@/lib/deletions/export-archive';
import { download } from '@/lib/http/download';
import { handle, Id } from '@/lib/http/handle';
import { numeric } from '@/lib/model/filter';

const query = z.object({ seq: numeric(z.number().int().min(0)).optional() });

export const GET = handle({ params: z.object({ id: Id }), query }, async ({ actor, params: { id }, query: { seq } }) =>
  download(await exportArchive(actor, id, seq ?? null)),
);
