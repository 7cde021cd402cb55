import { isAllowedNow } from '@/lib/access/auth/is-allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { scopeToDeletion } from '@/lib/access/auth/verb-scopes';
import { getDeletionOrThrow } from '@/lib/deletions/get-deletion';
import { listItemsPage } from '@/lib/deletions/list-items';
import type { Actor } from '@/lib/model/actor';
import type { DeletionItem, ItemQuery } from '@/lib/model/deletions/deletion-item';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { buildTable, formatMoment, type ReportTable } from '@/lib/model/reports/table';
import { createPagesDownload } from '@/lib/snapshots/table-files/table-download';

const ITEMS_PER_PAGE = 500;

/**
 * Returns the keys of a plan or deletion in their order, all or those in one state, as a download. It has no values.
 */
export const exportItems = verb(
  { needs: 'instance.read', on: scopeToDeletion },
  async (
    actor: Actor,
    id: string,
    { state }: Pick<ItemQuery, 'state'>,
    { format, signal }: FileShape,
  ): Promise<DownloadFile> => {
    const { plan } = await getDeletionOrThrow(id);
    async function* readItemPages(): AsyncGenerator<ReportTable, void> {
      for (let cursor: string | undefined, hasMore = true; hasMore; ) {
        signal?.throwIfAborted();
        const { items, nextCursor } = await listItemsPage(actor, id, { state, cursor, limit: ITEMS_PER_PAGE });
        yield buildItemsTable(items);
        hasMore = nextCursor !== null;
        cursor = nextCursor ?? undefined;
      }
    }
    return createPagesDownload(buildItemsTable([]), readItemPages(), {
      ...{ name: `colonnade-${plan.task}-${new Date().toISOString().slice(0, 10)}-${id}`, format, signal },
      stillAllowed: () => isAllowedNow(actor, 'instance.read', plan.instanceId),
    });
  },
);

const buildItemsTable = (items: readonly DeletionItem[]): ReportTable =>
  buildTable(items, [
    ['key', 'name', ({ name }) => name],
    ['k', 'text', ({ k }) => k],
    ['database', 'number', ({ db }) => db],
    ['slot', 'number', ({ slot }) => slot],
    ['node', 'text', ({ address }) => address],
    ['type', 'text', ({ type }) => type],
    ['encoding', 'text', ({ encoding }) => encoding],
    ['length', 'number', ({ length }) => length],
    ['memory', 'bytes', ({ bytes }) => bytes],
    [
      'expires (UTC)',
      'text',
      ({ expireAt, expiryKnown }) => (expiryKnown ? (formatMoment(expireAt) ?? 'never') : null),
    ],
    ['new expiry (UTC)', 'text', ({ newExpireAt }) => formatMoment(newExpireAt)],
    ['idle', 'seconds', ({ idleSeconds }) => idleSeconds],
    ['mode', 'text', ({ mode }) => mode],
    ['hazards', 'text', ({ hazards }) => hazards.join(', ')],
    ['state', 'text', ({ state }) => state],
    ['reason', 'text', ({ reason }) => reason?.code ?? null],
    ['elements removed', 'number', ({ removed }) => removed],
    ['elements archived', 'number', ({ archivedElements }) => archivedElements],
    ['archive', 'bytes', ({ archiveBytes }) => archiveBytes],
    ['started (UTC)', 'text', ({ startedAt }) => formatMoment(startedAt)],
    ['ended (UTC)', 'text', ({ endedAt }) => formatMoment(endedAt)],
    ['undo until (UTC)', 'text', ({ undoUntil }) => formatMoment(undoUntil)],
  ]);
