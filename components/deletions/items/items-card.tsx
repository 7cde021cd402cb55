import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { useFormat } from '@/components/data/format/use-format';
import { ITEMS_PAGE } from '@/components/data/queries/deletion-items-key';
import { itemsFileUrl, useDeletionItems, type WatchedDeletion } from '@/components/data/queries/use-deletions';
import { DataTable } from '@/components/data-table/data-table';
import { useReasonText } from '@/components/deletions/reason-text';
import { FileMenu } from '@/components/reports/files/file-menu';
import { Pager } from '@/components/reports/pager';
import { usePages } from '@/components/reports/use-pages';
import { Card, CardHeader } from '@/components/ui/card';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { DeletionItem, Hazard } from '@/lib/model/deletions/deletion-item';
import type { ItemState } from '@/lib/model/deletions/item-states';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import { StateFilter } from './state-filter';
import { useItemColumns } from './use-item-columns';

/** The keys of a plan or deletion, fifty at a time. While it runs, each key shows its progress. */
export function ItemsCard(props: {
  deletion: WatchedDeletion;
  /** Whether the deletion runs now, so that the rows are refreshed. */
  live: boolean;
  /** Called with number and name of the key to undo; undefined: nothing can be undone now. */
  onUndo?: (seq: number, name: string) => void;
}) {
  const t = useTranslations('deletions');
  const exportTexts = useTranslations('filters.export');
  const f = useFormat();
  const { deletion, live, onUndo } = props;
  const [state, setState] = useState<ItemState | 'all'>('all');
  const pages = usePages('items', state);
  const query = { state: state === 'all' ? undefined : state, cursor: pages.cursor };
  const { data, error, refetch } = useDeletionItems(deletion, query, live);
  const buildHref = (format: FileFormat) => itemsFileUrl(deletion.plan.id, query.state, format);
  const files = [{ name: '', href: buildHref }];
  const planned = deletion.state === 'planned';
  const expire = deletion.plan.task === 'expire';
  // A hazard of all keys is shown above the list, not in each row.
  const hazardsOfAllKeys = deletion.plan.hazards
    .filter(({ keys }) => keys > 1 && keys === deletion.plan.totals.keys)
    .map(({ hazard }) => hazard);
  const columns = useItemColumns({ planned, expire, onUndo });
  const note = useItemNote({ planned, hazardsOfAllKeys });
  return (
    <Card>
      <CardHeader
        title={t('live.items')}
        actions={
          data && data.total > 0 ? (
            <FileMenu label={exportTexts('rowsLabel')} hint={exportTexts('rowsHint')} files={files} />
          ) : null
        }
      />
      {planned ? null : <StateFilter counts={deletion.counts} expire={expire} value={state} onValueChange={setState} />}
      {deletion.itemsRemovedAt === null ? null : (
        <p className="px-4 py-3 text-muted-foreground text-sm">
          {t('live.itemsRemoved', { time: f.dateTime(deletion.itemsRemovedAt) })}
        </p>
      )}
      {data ? (
        <DataTable
          label={t('plan.keysTitle')}
          first={planned ? 10 : undefined}
          columns={columns}
          rows={data.items}
          rowId={(item) => String(item.seq)}
          note={note}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={6} />
      )}
      {data && (data.total > ITEMS_PAGE || pages.page > 0) ? (
        <Pager
          pages={pages}
          pageSize={ITEMS_PAGE}
          shown={data.items.length}
          total={data.total}
          nextCursor={data.nextCursor}
        />
      ) : null}
    </Card>
  );
}

/**
 * Returns the function that gives the note of a key, which the table shows below its row; null: the key has none.
 * Hazards of all keys are not repeated there.
 */
function useItemNote({ planned, hazardsOfAllKeys }: { planned: boolean; hazardsOfAllKeys: readonly Hazard[] }) {
  const t = useTranslations('deletions');
  const reasonText = useReasonText();
  return (item: DeletionItem): string | null => {
    const reason = item.reason ?? (planned ? item.modeReason : null);
    const hazards = planned ? item.hazards.filter((hazard) => !hazardsOfAllKeys.includes(hazard)) : [];
    const notes = [...hazards.map((hazard) => t(`hazard.${hazard}`)), ...(reason ? [reasonText(reason)] : [])];
    return notes.length > 0 ? notes.join('; ') : null;
  };
}
