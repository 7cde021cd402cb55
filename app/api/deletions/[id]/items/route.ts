import { z } from 'zod';
import { answerInFormat } from '@/app/api/answer-in-format';
import { exportItems } from '@/lib/deletions/export/export-items';
import { listItemsPage } from '@/lib/deletions/list-items';
import { handle, Id } from '@/lib/http/handle';
import { ItemFileQuery } from '@/lib/model/reports/file-query';

const params = z.object({ id: Id });
export const GET = handle(
  {
    summary: 'Its keys in the order of the plan, with state and reason; a file has all of them.',
    answer: 'items, nextCursor, total, or the file.',
    params,
    query: ItemFileQuery,
  },
  ({ actor, params: { id }, query, ...asked }) => {
    const page = () => listItemsPage(actor, id, query);
    return answerInFormat(asked, query.format, page, (shape) => exportItems(actor, id, query, shape));
  },
);
