import { answerInFormat } from '@/app/api/answer-in-format';
import { handle, WithId } from '@/lib/http/handle';
import { RowsFileQuery } from '@/lib/model/reports/file-query';
import { exportSnapshotKeys } from '@/lib/scans/export/export-snapshot-keys';
import { getReport } from '@/lib/scans/get-report';

export const GET = handle(
  {
    summary: 'List the keys of a snapshot that match a filter, by pages or all as a file.',
    answer: 'The report, with the id of its snapshot and how much of it was read: one page of keys; or the file.',
    params: WithId,
    query: RowsFileQuery,
  },
  ({ actor, params: { id }, query, ...asked }) => {
    const { format, ...keys } = query;
    const list = () => getReport(actor, id, 'keys', keys, asked.request.signal);
    return answerInFormat(asked, format, list, (shape) =>
      exportSnapshotKeys(actor, id, keys, shape.format, shape.signal),
    );
  },
);
