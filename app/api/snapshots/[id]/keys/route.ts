import { inFormat } from '@/app/api/in-format';
import { handle, WithId } from '@/lib/http/handle';
import { RowsFileQuery } from '@/lib/model/reports/file-query';
import { exportSnapshotKeys } from '@/lib/scans/export/export-snapshot-keys';
import { getReport } from '@/lib/scans/get-report';

export const GET = handle({ params: WithId, query: RowsFileQuery }, ({ actor, params: { id }, query, ...asked }) => {
  const { format, ...keys } = query;
  const list = () => getReport(actor, id, 'keys', keys, asked.request.signal);
  return inFormat(asked, format, list, (shape) => exportSnapshotKeys(actor, id, keys, shape.format, shape.signal));
});
