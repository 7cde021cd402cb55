'use client';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { Value } from '@/components/data/format/value';
import { selectColumn } from '@/components/plans/select-column';
import type { useSelection } from '@/components/plans/use-selection';
import { LengthCell, NameCell, TtlCell, TypeCell } from '@/components/reports/key-cells';
import { type KeyColumn, KeyTable } from '@/components/reports/key-table';
import { ViolationBadges } from '@/components/rules/violation-badges';
import { cn } from '@/components/ui/cn';
import type { BigkeyRow } from '@/lib/model/reports/reports';
import { HazardBadges } from './hazard-badges';

/** From here on one DEL is felt by every client. */
const NOTICEABLE_MS = 100;

export function BigkeyList(props: {
  instanceId: string;
  selection: ReturnType<typeof useSelection>;
  rows: BigkeyRow[];
  asOf: number;
  total: number;
  firstIndex: number;
  sort: string;
  onSort: (sort: string) => void;
}) {
  const t = useTranslations('bigkeys');
  const { instanceId, asOf, selection, rows } = props;
  const plans = useTranslations('deletions.new');
  const lfu = props.rows.some((row) => row.freq !== null);
  const columns = useMemo((): KeyColumn<BigkeyRow>[] => {
    const strong = (on: boolean) => cn(on && 'font-semibold');
    return [
      selectColumn(selection, rows, plans),
      {
        id: 'name',
        header: t('column.name'),
        sort: 'name',
        cell: (row) => <NameCell row={row} instanceId={instanceId} />,
      },
      {
        id: 'type',
        header: t('column.type'),
        sort: 'type',
        width: 82,
        className: 'max-sm:hidden',
        cell: (row) => <TypeCell row={row} />,
      },
      {
        id: 'bytes',
        header: t('column.bytes'),
        sort: 'bytes',
        right: true,
        width: 100,
        cell: (row) => (
          <span title={row.over.includes('bytes') ? t('overBytes') : undefined}>
            <Value value={row.bytes} as="bytes" className={strong(row.over.includes('bytes'))} />
          </span>
        ),
      },
      {
        id: 'length',
        header: t('column.length'),
        sort: 'length',
        right: true,
        width: 100,
        // On a phone the name needs the room.
        className: 'max-sm:hidden',
        cell: (row) => (
          <span title={row.over.includes('elements') ? t('overElements') : undefined}>
            <LengthCell row={row} className={strong(row.over.includes('elements'))} />
          </span>
        ),
      },
      {
        id: 'blocks',
        header: t('column.blocks'),
        right: true,
        width: 96,
        hint: t('blocksHint'),
        className: 'max-md:hidden',
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
        right: true,
        width: 98,
        className: 'max-md:hidden',
        cell: (row) => <TtlCell row={row} asOf={asOf} />,
      },
      lfu
        ? {
            id: 'freq',
            header: 'LFU',
            sort: 'freq',
            right: true,
            width: 76,
            className: 'max-2xl:hidden',
            cell: (row) => <Value value={row.freq} as="number" />,
          }
        : {
            id: 'idle',
            header: t('column.idle'),
            sort: 'idle',
            right: true,
            width: 84,
            className: 'max-2xl:hidden',
            cell: (row) => <Value value={row.idleSeconds} as="seconds" />,
          },
      {
        id: 'db',
        header: t('column.db'),
        right: true,
        width: 48,
        className: 'text-muted-foreground max-2xl:hidden',
        cell: (row) => row.db,
      },
      {
        id: 'hazards',
        header: t('column.hazards'),
        width: 172,
        className: 'max-lg:hidden',
        cell: (row) => <HazardBadges row={row} />,
      },
      {
        id: 'rules',
        header: t('column.rules'),
        width: 124,
        className: 'max-xl:hidden',
        cell: (row) => <ViolationBadges rules={row.violated ?? []} max={2} />,
      },
    ];
  }, [t, plans, instanceId, asOf, lfu, selection, rows]);
  return <KeyTable label={t('table')} columns={columns} {...props} />;
}
