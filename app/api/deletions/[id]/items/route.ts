import { z } from 'zod';
import { inFormat } from '@/app/api/in-format';
import { exportItems } from '@/lib/deletions/export-items';
import { listItemsPage } from '@/lib/deletions/list-items';
import { handle, Id } from '@/lib/http/handle';
import { ItemFileQuery } from '@/lib/model/deletions/deletion-item';

export const GET = handle(
  { params: z.object({ id: Id }), query: ItemFileQuery },
  ({ actor, params: { id }, query: { format, ...query }, ...asked }) =>
    inFormat(
      asked,
      format,
      () => listItemsPage(actor, id, query),
      (shape) => exportItems(actor, id, query, shape),
    ),
);
