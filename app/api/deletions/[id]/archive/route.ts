import { z } from 'zod';
import { exportArchive } from '@/lib/deletions/export-archive';
import { download } from '@/lib/http/download';
import { handle, Id } from '@/lib/http/handle';

const query = z.object({ seq: z.coerce.number().int().min(0).optional() });

export const GET = handle({ params: z.object({ id: Id }), query }, async ({ actor, params: { id }, query: { seq } }) =>
  download(await exportArchive(actor, id, seq ?? null)),
);
