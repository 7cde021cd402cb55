import { verb } from '@/lib/access/auth/verb';
import { own } from '@/lib/access/auth/verb-scopes';
import { listDeletions } from '@/lib/deletions/get-deletion';
import type { Actor } from '@/lib/model/actor';
import type { Deletion } from '@/lib/model/deletions/deletion';
import type { Selection } from '@/lib/model/deletions/plan-request';
import type { DownloadFile } from '@/lib/model/download-file';
import { displayName } from '@/lib/model/keys/display-name';
import { decodeKey } from '@/lib/model/keys/key-id';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { DELETION_VALUES } from '@/lib/model/reports/list-values';
import { momentText, type ReportTable, tableOf } from '@/lib/model/reports/table';
import { type RowOrder, sortRows } from '@/lib/model/reports/table-order';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';

/** The limit of rows: for each, the counts and the job are read. */
const MAX_DELETIONS = 1000;
/** A selection may have a thousand names; its plan lists all of them. */
const MAX_NAMES = 20;

/**
 * Returns the newest plans and deletions that the actor may see, of one instance or of all, in the order of the page,
 * as a download. It has no values.
 */
export const exportDeletions = verb(
  { needs: 'account.use', on: own },
  async (
    actor: Actor,
    query: { instanceId?: string | undefined },
    { format, signal, ...order }: FileShape & RowOrder,
  ): Promise<DownloadFile> => {
    const deletions = await listDeletions(actor, { ...query, limit: MAX_DELETIONS, signal });
    const sorted = sortRows(deletions, DELETION_VALUES, order);
    return tableDownload(deletionsTable(sorted), { name: listFileName('deletions'), format, signal });
  },
);

/** The first names, or the filter, as JSON: a name may have any character. */
function selectionText(selection: Selection): string {
  if (selection.by === 'keys')
    return JSON.stringify(selection.keys.slice(0, MAX_NAMES).map(({ k }) => displayName(decodeKey(k)).name));
  const { filter, delimiter, nodes } = selection;
  return JSON.stringify({ ...filter, delimiter, nodes: nodes?.slice(0, MAX_NAMES) });
}

const deletionsTable = (deletions: readonly Deletion[]): ReportTable =>
  tableOf(deletions, [
    ['instance', 'text', ({ plan }) => plan.instanceName],
    ['task', 'text', ({ plan }) => plan.task],
    ['keys', 'number', ({ plan }) => plan.totals.keys],
    ['elements', 'number', ({ plan }) => plan.totals.elements],
    ['memory', 'bytes', ({ plan }) => plan.totals.bytes],
    ['chosen by', 'text', ({ plan }) => plan.selection.by],
    ['selection', 'text', ({ plan }) => selectionText(plan.selection)],
    ['state', 'text', ({ state }) => state],
    ['job', 'text', ({ job }) => job?.state ?? null],
    ['elements deleted', 'number', ({ removedElements }) => removedElements],
    ['keys to undo', 'number', ({ undoable }) => undoable],
    ['undo until (UTC)', 'text', ({ undoable, undoUntil }) => (undoable > 0 ? momentText(undoUntil) : null)],
    ['by', 'text', ({ plan }) => plan.createdBy],
    ['planned (UTC)', 'text', ({ plan }) => momentText(plan.createdAt)],
    ['started (UTC)', 'text', ({ startedAt }) => momentText(startedAt)],
    ['ended (UTC)', 'text', ({ endedAt }) => momentText(endedAt)],
    ['id', 'text', ({ plan }) => plan.id],
  ]);
