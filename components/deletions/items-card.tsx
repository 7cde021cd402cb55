'use client';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useDeletionItems, type WatchedDeletion } from '@/components/data/use-deletions';
import { Pager } from '@/components/reports/pager';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { Table, TableScroll, TBody, THead, Th } from '@/components/ui/table';
import type { ItemState } from '@/lib/model/deletion';
import { ItemRow } from './item-row';
import { StateFilter } from './state-filter';

const PAGE = 50;
/** What the clock does not end: a person may ask for it back at any time. */
const HALF_WAY = new Set<ItemState>(['tombstoned', 'draining', 'needs_review']);

/** The keys of a plan or deletion, fifty at a time; while it runs each shows how far it is. */
export function ItemsCard(props: {
  deletion: WatchedDeletion;
  live: boolean;
  onUndo?: (seq: number, name: string) => void;
}) {
  const t = useTranslations('deletions');
  const f = useFormat();
  const { deletion, live, onUndo } = props;
  const [state, setState] = useState<ItemState | 'all'>('all');
  const [cursors, setCursors] = useState<string[]>([]);
  const query = { state: state === 'all' ? undefined : state, cursor: cursors.at(-1) };
  const { data } = useDeletionItems(deletion, query, live);
  const planned = deletion.state === 'planned';
  const expire = deletion.plan.task === 'expire';
  // What is true of every key stands above the list, not in each row.
  const common = deletion.plan.hazards
    .filter(({ keys }) => keys > 1 && keys === deletion.plan.totals.keys)
    .map(({ hazard }) => hazard);
  return (
    <Card>
      <CardHeader title={t('live.items')} />
      {planned ? null : (
        <StateFilter
          counts={deletion.counts}
          expire={expire}
          value={state}
          onValueChange={(next) => {
            setState(next);
            setCursors([]);
          }}
        />
      )}
      {deletion.itemsRemovedAt === null ? null : (
        <p className="px-4 py-3 text-muted-foreground text-sm">
          {t('live.itemsRemoved', { time: f.dateTime(deletion.itemsRemovedAt) })}
        </p>
      )}
      <TableScroll
        label={t('plan.keysTitle')}
        className={cn('overflow-y-auto', planned ? 'max-h-88' : 'max-h-[32rem]')}
      >
        <Table>
          <THead>
            <tr>
              <Th>{t('columns.name')}</Th>
              <Th className="max-sm:hidden">{t('columns.type')}</Th>
              <Th right className={onUndo ? 'max-sm:hidden' : undefined}>
                {t('columns.length')}
              </Th>
              <Th right className="max-md:hidden">
                {t('columns.bytes')}
              </Th>
              <Th right className="max-lg:hidden">
                {t('columns.ttl')}
              </Th>
              {planned ? (
                <Th right className="max-lg:hidden">
                  {t('columns.idle')}
                </Th>
              ) : null}
              {expire ? null : <Th className="max-md:hidden">{t('columns.mode')}</Th>}
              {planned ? null : <Th>{t('columns.state')}</Th>}
              {onUndo ? (
                <Th>
                  <span className="sr-only">{t('columns.actions')}</span>
                </Th>
              ) : null}
            </tr>
          </THead>
          <TBody>
            {data?.items.map((item) => (
              <ItemRow
                key={item.seq}
                item={item}
                planned={planned}
                expire={expire}
                common={common}
                action={
                  onUndo ? (
                    item.undoUntil !== null || HALF_WAY.has(item.state) ? (
                      <Button
                        size="xs"
                        aria-label={t('result.undoOne', { name: item.name })}
                        onClick={() => onUndo(item.seq, item.name)}
                      >
                        {t('result.undoShort')}
                      </Button>
                    ) : null
                  ) : undefined
                }
              />
            ))}
          </TBody>
        </Table>
      </TableScroll>
      {data && (data.total > PAGE || cursors.length > 0) ? (
        <Pager
          page={cursors.length}
          pageSize={PAGE}
          shown={data.items.length}
          total={data.total}
          nextCursor={data.nextCursor}
          onNext={(cursor) => setCursors([...cursors, cursor])}
          onPrevious={() => setCursors(cursors.slice(0, -1))}
        />
      ) : null}
    </Card>
  );
}
