import { answerInFormat } from '@/app/api/answer-in-format';
import { exportItems } from '@/lib/deletions/export/export-items';
import { listItemsPage } from '@/lib/deletions/list-items';
import { handle, WithId as params } from '@/lib/http/handle';
import { ItemFileQuery } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'List the keys of a deletion in the order of its plan, with state and reason, by pages or all as a file.',
    answer: 'items: one page of keys. nextCursor: where the next page begins. total: how many there are. Or the file.',
    params,
    query: ItemFileQuery,
  },
  ({ actor, params: { id }, query, ...asked }) => {
    const page = () => listItemsPage(actor, id, query);
    return answerInFormat(asked, query.format, page, (shape) => exportItems(actor, id, query, shape));
  },
);
