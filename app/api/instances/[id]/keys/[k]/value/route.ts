import { z } from 'zod';
import { inFormat } from '@/app/api/in-format';
import { handle, Id } from '@/lib/http/handle';
import { exportKeyPreview } from '@/lib/instances/export/export-key';
import { previewLiveKey } from '@/lib/instances/read-live-key';
import { ValueFileRequest } from '@/lib/model/reports/file-query';

const params = z.object({ id: Id, k: z.string().max(100_000) });

export const POST = handle(
  {
    summary: 'The same with a bounded part of its value. On record each time; on production with a reason only.',
    answer: 'key, or the file of the shown part.',
    params,
    body: ValueFileRequest,
  },
  ({ actor, params: { id, k }, body, ...asked }) => {
    const { format, db, reason = null } = body;
    const preview = async () => ({ key: await previewLiveKey(actor, id, { k, db, reason }) });
    return inFormat(asked, format, preview, (shape) => exportKeyPreview(actor, id, { ...shape, k, db, reason }));
  },
);
