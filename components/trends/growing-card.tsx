import { useQueryStates } from 'nuqs';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { formatK } from '@/components/data/format/format-k';
import { type Format, useFormat } from '@/components/data/format/use-format';
import { useGrowing } from '@/components/data/queries/use-trends';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { limitTableHeight } from '@/components/data-table/use-window';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { buildPathFilterPatch } from '@/components/reports/filter/level-filter';
import { useKeyHref, useReportHref } from '@/components/reports/use-report-href';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader } from '@/components/ui/card';
import { Segmented } from '@/components/ui/forms/segmented';
import { KeyName } from '@/components/ui/key-name';
import { Link } from '@/components/ui/link';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { GrowingQuery, GrowingRow, GrowthPerDay } from '@/lib/model/snapshots/trends';
import { TRENDS_PARAMS } from './trends-params';
import { useDayRange } from './use-day-range';

const BY = ['bytes', 'keys', 'elements'] as const;

/** Keys and prefixes that grew most between the last two comparable scans. */
export function GrowingCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('trends.growing');
  const f = useFormat();
  const [{ growing: by }, set] = useQueryStates(TRENDS_PARAMS);
  const { data, error, refetch, isPlaceholderData } = useGrowing(instanceId, by);
  const columns = useGrowingColumns(instanceId, by);
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={
          data?.between ? t('between', { from: f.dateTime(data.between.from), to: f.dateTime(data.between.to) }) : null
        }
        actions={
          <>
            <Segmented
              size="sm"
              label={t('by')}
              value={by}
              onValueChange={(growing) => void set({ growing })}
              options={BY.map((value) => ({ value, label: t(value) }))}
            />
            <OneTableMenu id="growing" name={t('title')} />
          </>
        }
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={6} />
      ) : data.rows.length === 0 ? (
        <p className="px-4 py-8 text-center text-muted-foreground">
          {t(data.between === null ? 'oneScan' : 'nothing')}
        </p>
      ) : (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : undefined}>
          <DataTable
            id="growing"
            label={t('title')}
            columns={columns}
            rows={data.rows}
            rowId={({ dim, key }) => `${dim} ${key}`}
            className={limitTableHeight(data.rows.length)}
          />
        </div>
      )}
    </Card>
  );
}

/** `+1.5 MiB – 2.1 MiB`, or one figure if both ends are the same as text. Slow growth is not rounded to nothing. */
function formatPerDay(format: (value: number) => string, { low, high }: GrowthPerDay): string {
  if (high < 1) return `<${format(1)}`;
  const [from, to] = [format(low), format(high)];
  return from === to ? `+${from}` : `+${from} – ${to}`;
}

const toFormat = (f: Format, by: GrowingQuery['by']) => (by === 'bytes' ? f.bytes : f.number);

function useGrowingColumns(instanceId: string, by: GrowingQuery['by']): DataColumn<GrowingRow>[] {
  const t = useTranslations('trends.growing');
  const f = useFormat();
  const formatDays = useDayRange();
  const reportHref = useReportHref(instanceId);
  const keyHref = useKeyHref(instanceId);
  const format = toFormat(f, by);
  const as = by === 'bytes' ? 'bytes' : 'number';
  const readName = ({ dim, key }: GrowingRow) => (dim === 'key' ? formatK(key.slice(key.indexOf(':') + 1)) : key);
  const buildHref = ({ dim, key }: GrowingRow) =>
    dim === 'prefix'
      ? reportHref('tree', buildPathFilterPatch(key, { exact: false }))
      : keyHref(key.slice(key.indexOf(':') + 1), Number.parseInt(key, 10));
  return [
    {
      id: 'name',
      header: t('name'),
      value: readName,
      className: 'w-full min-w-32 max-w-0',
      cell: (row) => (
        <Link
          href={buildHref(row)}
          className="flex min-w-0 items-center gap-2 rounded hover:text-accent hover:underline"
        >
          <KeyName name={readName(row)} max={50} />
          <Badge tone="outline" className="shrink-0 max-sm:hidden">
            {t(`kind.${row.dim}`)}
          </Badge>
        </Link>
      ),
    },
    createFigureColumn('before', t('before'), as, (row) => row.before, { hide: 'max-md:hidden' }),
    createFigureColumn('after', t('after'), as, (row) => row.after),
    {
      id: 'change',
      header: t('change'),
      num: true,
      value: (row) => row.change,
      cell: (row) => `+${format(row.change)}`,
    },
    {
      id: 'perDay',
      header: t('perDay'),
      hint: t('perDayHint'),
      num: true,
      hide: 'max-md:hidden',
      className: 'whitespace-nowrap',
      value: (row) => row.perDay?.high,
      cell: (row) => (row.perDay === null ? '—' : formatPerDay(format, row.perDay)),
    },
    ...(by === 'elements'
      ? [
          {
            id: 'reaches',
            header: t('reaches'),
            num: true,
            className: 'whitespace-nowrap',
            value: (row: GrowingRow) => (row.reaches === null ? null : -row.reaches.from),
            cell: (row: GrowingRow) =>
              row.reaches === null ? '—' : t('reachesIn', { limit: row.reaches.limit, days: formatDays(row.reaches) }),
          },
        ]
      : []),
  ];
}
