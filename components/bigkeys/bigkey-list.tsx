import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { Value } from '@/components/data/format/value';
import { ColumnChooser } from '@/components/data-table/column-chooser';
import type { DataColumn } from '@/components/data-table/data-column';
import { createFigureColumn } from '@/components/data-table/figure-column';
import type { useSelection } from '@/components/plans/use-selection';
import { LengthCell, NameCell, TtlCell, TypeCell } from '@/components/reports/key-cells';
import { KeyTable } from '@/components/reports/key-table';
import { ViolationBadges } from '@/components/rules/violation-badges';
import { cn } from '@/components/ui/cn';
import type { BigkeyRow, BigkeysReport } from '@/lib/model/reports/reports';
import { HazardBadges, hasHazards } from './hazard-badges';
import { TypeTabs } from './type-tabs';

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
  const columns = useMemo((): DataColumn<BigkeyRow>[] => {
    const emphasize = (on: boolean) => cn(on && 'font-semibold');
    return [
      {
        id: 'name',
        fixed: true,
        header: t('column.name'),
        sort: 'name',
        cell: (row) => <NameCell row={row} instanceId={instanceId} />,
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
        // On a phone the name needs the space.
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
    ];
  }, [t, instanceId, asOf, lfu, hazardous]);
  return (
    <>
      <TypeTabs report={report}>
        <ColumnChooser table="bigkeys" columns={columns} />
      </TypeTabs>
      <KeyTable id="bigkeys" label={t('table')} columns={columns} selection={selection.table} {...list} rows={rows} />
    </>
  );
}
