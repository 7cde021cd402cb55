import { inFormatAndOrder } from '@/app/api/in-format';
import { handle, WithId as params } from '@/lib/http/handle';
import { SnapshotsQuery as query } from '@/lib/model/reports/file-query';
import { exportSnapshots } from '@/lib/scans/export/export-snapshots';
import { listSnapshots } from '@/lib/scans/list-snapshots';

export const GET = handle(
  {
    summary: 'Snapshots, newest first; a file can be sorted by a column of the page.',
    answer: 'snapshots, or the file.',
    params,
    query,
  },
  ({ actor, params: { id }, query: { format, ...order }, ...asked }) => {
    const list = async () => ({ snapshots: await listSnapshots(actor, id) });
    return inFormatAndOrder(asked, { format, order }, list, (shape) => exportSnapshots(actor, id, shape));
  },
);
