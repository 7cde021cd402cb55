import { isAllowedNow } from '@/lib/access/auth/allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { ofInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { SNAPSHOT_VALUES } from '@/lib/model/reports/list-values';
import { momentText, type ReportTable, tableOf } from '@/lib/model/reports/table';
import { type RowOrder, sortRows } from '@/lib/model/reports/table-order';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';
import { listSnapshots } from '../list-snapshots';

/** Exports the snapshots of an instance in the order of the page. Errors: `not_found`. */
export const exportSnapshots = verb(
  { needs: 'instance.read', on: ofInstance },
  async (
    actor: Actor,
    instanceId: string,
    { format, signal, ...order }: FileShape & RowOrder,
  ): Promise<DownloadFile> => {
    const rows = sortRows(await listSnapshots(actor, instanceId), SNAPSHOT_VALUES, order);
    const stillAllowed = () => isAllowedNow(actor, 'instance.read', instanceId);
    return tableDownload(snapshotsTable(rows), { name: listFileName('snapshots'), format, signal, stillAllowed });
  },
);

const snapshotsTable = (rows: readonly SnapshotSummary[]): ReportTable =>
  tableOf(rows, [
    ['started (UTC)', 'text', (row) => momentText(row.startedAt)],
    ['ended (UTC)', 'text', (row) => momentText(row.endedAt)],
    ['took', 'ms', SNAPSHOT_VALUES.took],
    ['state', 'text', (row) => row.state],
    ['keyspace', 'text', (row) => (row.isPart ? 'part' : 'whole')],
    ['complete', 'text', (row) => (row.partial ? 'no' : 'yes')],
    ['keys', 'number', (row) => row.keys],
    ['memory', 'bytes', (row) => row.bytes],
    ['bigkeys', 'number', (row) => row.bigkeys],
    ['no expiry', 'number', (row) => row.noExpiryKeys],
    ['on disk', 'bytes', (row) => row.fileBytes],
    // Empty without an object store: the snapshot is on this disk only.
    ['in the object store (UTC)', 'text', (row) => momentText(row.storedAt ?? null)],
    ['id', 'text', (row) => row.id],
  ]);
