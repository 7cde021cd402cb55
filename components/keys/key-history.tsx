import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Loaded } from '@/components/data/loaded';
import { useKeyHistory } from '@/components/data/queries/use-comparison';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { LengthCell, TtlCell } from '@/components/reports/key-cells';
import { CardBody } from '@/components/ui/card';
import { TypeBadge } from '@/components/ui/type-badge';
import type { KeyHistoryRow } from '@/lib/model/comparison/comparison';

/** The rows of the history, which are requested and loaded when somebody opens it. */
export function KeyHistory({ instanceId, k, db }: { instanceId: string; k: string; db: number }) {
  const t = useTranslations('compare.history');
  const words = useTranslations('compare');
  const f = useFormat();
  const answer = useKeyHistory(instanceId, k, db);
  const columns: DataColumn<KeyHistoryRow>[] = [
    {
      id: 'snapshot',
      header: t('snapshot'),
      className: 'num',
      cell: ({ startedAt }) => <Value value={startedAt} as="dateTime" />,
    },
    {
      id: 'bytes',
      header: words('figure.bytes'),
      num: true,
      cell: ({ row, isPart }) =>
        row ? (
          <Value value={row.bytes} as="bytes" />
        ) : (
          <span className="text-muted-foreground">{t(isPart ? 'absentPart' : 'absent')}</span>
        ),
    },
    { id: 'length', header: words('length'), num: true, cell: ({ row }) => (row ? <LengthCell row={row} /> : null) },
    {
      id: 'ttl',
      header: t('ttl'),
      num: true,
      cell: ({ row, asOf }) => (row ? <TtlCell row={row} asOf={asOf} /> : null),
    },
    {
      id: 'type',
      header: words('type'),
      hide: 'max-sm:hidden',
      cell: ({ row }) => (row ? <TypeBadge type={row.type} /> : null),
    },
    {
      id: 'encoding',
      header: t('encoding'),
      hide: 'max-md:hidden',
      cell: ({ row }) => (row ? <span className="font-mono text-xs">{row.encoding ?? f.number(null)}</span> : null),
    },
  ];
  return (
    <Loaded query={answer} rows={4}>
      {({ rows, unreadable }) => (
        <>
          <div className="flex justify-end border-b px-2.5 py-1.5">
            <OneTableMenu id="key-history" name={t('title')} />
          </div>
          {rows.some(({ row }) => row !== null) ? (
            <DataTable
              id="key-history"
              label={t('title')}
              columns={columns}
              rows={rows}
              rowId={(row) => row.snapshotId}
            />
          ) : (
            <CardBody className="text-muted-foreground text-sm">{t('none')}</CardBody>
          )}
          {unreadable > 0 ? (
            <p className="border-t px-4 py-2 text-muted-foreground text-xs">{t('unreadable', { count: unreadable })}</p>
          ) : null}
        </>
      )}
    </Loaded>
  );
}
