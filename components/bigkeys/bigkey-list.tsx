import { Split, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Value } from '@/components/data/format/value';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { ColumnChooser } from '@/components/data-table/column-chooser';
import type { DataColumn } from '@/components/data-table/data-column';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { LazyPlanDialog } from '@/components/plans/lazy-plan-dialog';
import type { useSelection } from '@/components/plans/use-selection';
import { LengthCell, NameCell, TtlCell, TypeCell } from '@/components/reports/key-cells';
import { KeyTable } from '@/components/reports/key-table';
import { ViolationBadges } from '@/components/rules/violation-badges';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Selection } from '@/lib/model/deletions/plan-request';
import type { BigkeyRow, BigkeysReport } from '@/lib/model/reports/reports';
import { HazardBadges, hasHazards } from './hazard-badges';
import { TypeTabs } from './type-tabs';

const SplitDialog = createLazyPart(() => import('./split-dialog').then((loaded) => loaded.SplitDialog));

/** The longest name in a label, in characters. */
const MAX_LABEL = 200;

/**
 * From this duration on, ms, one DEL noticeably delays all clients, because a Redis server runs one command at a time.
 */
const NOTICEABLE_MS = 100;

export function BigkeyList(props: {
  instanceId: string;
  selection: ReturnType<typeof useSelection>;
  report: BigkeysReport;
  asOf: number;
  total: number;
  firstIndex: number;
  sort: string;
  onSort: (sort: string) => void;
}) {
  const t = useTranslations('bigkeys');
  const { instanceId, asOf, selection, report, ...list } = props;
  const { rows } = report;
  // A server with an LFU eviction policy counts accesses instead of idle time.
  const lfu = rows.some((row) => row.freq !== null);
  const hazardous = rows.some(hasHazards);
  const may = useMay('deletion.run', instanceId);
  const [acting, setActing] = useState<{ what: 'plan' | 'split'; row: BigkeyRow } | null>(null);
  const columns = useMemo((): DataColumn<BigkeyRow>[] => {
    const emphasize = (on: boolean) => cn(on && 'font-semibold');
    return [
      {
        id: 'name',
        fixed: true,
        header: t('column.name'),
        sort: 'name',
        cell: (row) => (
          <>
            <NameCell row={row} instanceId={instanceId} />
            <PhoneFacts row={row} asOf={asOf} />
          </>
        ),
      },
      {
        id: 'type',
        header: t('column.type'),
        sort: 'type',
        width: 82,
        hide: 'max-sm:hidden',
        cell: (row) => <TypeCell row={row} />,
      },
      {
        id: 'bytes',
        header: t('column.bytes'),
        sort: 'bytes',
        num: true,
        width: 100,
        cell: (row) => (
          <span title={row.over.includes('bytes') ? t('overBytes') : undefined}>
            <Value value={row.bytes} as="bytes" className={emphasize(row.over.includes('bytes'))} />
          </span>
        ),
      },
      {
        id: 'length',
        header: t('column.length'),
        sort: 'length',
        num: true,
        width: 100,
        // On a phone this and the TTL and hazards are below the name.
        hide: 'max-sm:hidden',
        cell: (row) => (
          <span title={row.over.includes('elements') ? t('overElements') : undefined}>
            <LengthCell row={row} className={emphasize(row.over.includes('elements'))} />
          </span>
        ),
      },
      {
        id: 'blocks',
        header: t('column.blocks'),
        sort: 'blocks',
        num: true,
        width: 104,
        hint: t('blocksHint'),
        hide: 'max-md:hidden',
        cell: (row) => (
          <Value
            value={row.delBlocksMs}
            as="ms"
            className={cn(row.delBlocksMs !== null && row.delBlocksMs >= NOTICEABLE_MS && 'text-danger')}
          />
        ),
      },
      {
        id: 'ttl',
        header: t('column.ttl'),
        sort: 'ttl',
        num: true,
        width: 98,
        hide: 'max-md:hidden',
        cell: (row) => <TtlCell row={row} asOf={asOf} />,
      },
      lfu
        ? createFigureColumn('freq', 'LFU', 'number', (row) => row.freq, {
            sort: 'freq',
            width: 76,
            hide: 'max-2xl:hidden',
          })
        : createFigureColumn('idle', t('column.idle'), 'seconds', (row) => row.idleSeconds, {
            sort: 'idle',
            width: 84,
            hide: 'max-2xl:hidden',
          }),
      {
        id: 'db',
        header: t('column.db'),
        sort: 'db',
        num: true,
        width: 60,
        hide: 'max-2xl:hidden',
        className: 'text-muted-foreground',
        cell: (row) => row.db,
      },
      {
        id: 'hazards',
        header: t('column.hazards'),
        sort: 'hazards',
        descFirst: true,
        // If no row has hazards, the names get the space.
        width: hazardous ? 140 : 84,
        hide: 'max-lg:hidden',
        cell: (row) => <HazardBadges row={row} />,
      },
      {
        id: 'rules',
        header: t('column.rules'),
        sort: 'rules',
        descFirst: true,
        width: 124,
        hide: 'max-2xl:hidden',
        cell: (row) => <ViolationBadges rules={row.violated ?? []} max={2} />,
      },
      {
        id: 'actions',
        header: t('column.actions'),
        quiet: true,
        fixed: true,
        width: 84,
        colClassName: 'max-sm:!w-14',
        cell: (row) => (
          <RowActions row={row} mayPlan={may && row.k !== null} onAct={(what) => setActing({ what, row })} />
        ),
      },
    ];
  }, [t, instanceId, asOf, lfu, hazardous, may]);
  const { k, db } = acting?.row ?? { k: null, db: 0 };
  const acted = useMemo(
    (): Selection | null => (k === null ? null : { by: 'keys', keys: [{ k, db }], snapshotId: selection.snapshotId }),
    [k, db, selection.snapshotId],
  );
  return (
    <>
      <TypeTabs report={report}>
        <ColumnChooser table="bigkeys" columns={columns} />
      </TypeTabs>
      <KeyTable id="bigkeys" label={t('table')} columns={columns} selection={selection.table} {...list} rows={rows} />
      {acting?.what === 'plan' && acted ? (
        <LazyPlanDialog
          instanceId={instanceId}
          selection={acted}
          start={{ task: 'delete' }}
          open
          onOpenChange={(open) => !open && setActing(null)}
        />
      ) : null}
      {acting?.what === 'split' ? (
        <SplitDialog instanceId={instanceId} row={acting.row} selection={acted} onClose={() => setActing(null)} />
      ) : null}
    </>
  );
}

/** Elements, TTL and hazards, whose columns do not fit on a phone. */
function PhoneFacts({ row, asOf }: { row: BigkeyRow; asOf: number }) {
  const t = useTranslations('bigkeys.column');
  return (
    <div className="mt-0.5 space-y-0.5 text-muted-foreground text-xs sm:hidden">
      <p className="num flex gap-2.5">
        {row.type === 'string' ? null : (
          <span title={t('length')}>
            <span className="sr-only">{t('length')} </span>
            <LengthCell row={row} />
          </span>
        )}
        <span title={t('ttl')}>
          <span className="sr-only">{t('ttl')} </span>
          <TtlCell row={row} asOf={asOf} />
        </span>
      </p>
      <HazardBadges row={row} />
    </div>
  );
}

/** The buttons at the end of a row: to plan the deletion of its key, and how it can be split. */
function RowActions(props: { row: BigkeyRow; mayPlan: boolean; onAct: (what: 'plan' | 'split') => void }) {
  const t = useTranslations('bigkeys');
  const { row, mayPlan, onAct } = props;
  const name = toVisibleText(row.name.slice(0, MAX_LABEL));
  const split = row.split ? t('split.button', { name }) : t('split.none');
  const plan = t('planButton', { name });
  return (
    <span className="flex justify-end gap-0.5 max-sm:flex-col max-sm:items-end">
      <Button
        size="iconXs"
        variant="ghost"
        disabled={!row.split}
        aria-label={split}
        title={split}
        onClick={() => onAct('split')}
      >
        <Split aria-hidden />
      </Button>
      {mayPlan ? (
        <Button size="iconXs" variant="ghost" aria-label={plan} title={plan} onClick={() => onAct('plan')}>
          <Trash2 aria-hidden />
        </Button>
      ) : null}
    </span>
  );
}
