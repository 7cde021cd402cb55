import { isAllowedNow } from '@/lib/access/auth/allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { ofInstance } from '@/lib/access/auth/verb-scopes';
import { getLeftovers } from '@/lib/deletions/get-leftovers';
import type { Actor } from '@/lib/model/actor';
import { type Leftover, leftoverState } from '@/lib/model/deletions/leftovers';
import type { DownloadFile } from '@/lib/model/download-file';
import { AppError } from '@/lib/model/errors';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { LEFTOVER_VALUES } from '@/lib/model/reports/list-values';
import { type ReportTable, tableOf } from '@/lib/model/reports/table';
import { type RowOrder, sortRows } from '@/lib/model/reports/table-order';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';

/**
 * Returns what the newest search for internal keys has found, in the order of the page, as a download. Before the first
 * search this is an error: a file without rows would say that there are no such keys. Errors: `not_found`.
 */
export const exportLeftovers = verb(
  { needs: 'instance.read', on: ofInstance },
  async (
    actor: Actor,
    instanceId: string,
    { format, signal, ...order }: FileShape & RowOrder,
  ): Promise<DownloadFile> => {
    const { search, leftovers } = await getLeftovers(actor, instanceId);
    if (search === null) throw new AppError('not_found', 'Nobody has searched for internal keys here yet.');
    const table = leftoversTable(sortRows(leftovers, LEFTOVER_VALUES, order));
    const stillAllowed = () => isAllowedNow(actor, 'instance.read', instanceId);
    return tableDownload(table, { name: listFileName('internal-keys'), format, signal, stillAllowed });
  },
);

const leftoversTable = (rows: readonly Leftover[]): ReportTable =>
  tableOf(rows, [
    ['key', 'name', ({ name }) => name],
    ['k', 'text', ({ k }) => k],
    ['was', 'name', ({ original }) => original],
    ['node', 'text', ({ address }) => address],
    ['database', 'number', ({ db }) => db],
    ['kind', 'text', ({ kind }) => kind],
    ['state', 'text', leftoverState],
    ['type', 'text', ({ type }) => type],
    ['memory', 'bytes', ({ bytes }) => bytes],
    ['deletion', 'text', ({ deletionId }) => deletionId],
  ]);
