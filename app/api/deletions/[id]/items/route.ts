import { z } from 'zod';
import { inFormat } from '@/app/api/in-format';
import { exportItems } from '@/lib/deletions/export/export-items';
import { listItemsPage } from '@/lib/deletions/list-items';
import { handle, Id } from '@/lib/http/handle';
import { ItemFileQuery } from '@/lib/model/reports/file-query';

const params = z.object({ id: Id });
export const GET = handle({ params, query: ItemFileQuery }, ({ actor, params: { id }, query, ...asked }) => {
  const page = () => listItemsPage(actor, id, query);
  return inFormat(asked, query.format, page, (shape) => exportItems(actor, id, query, shape));
});
