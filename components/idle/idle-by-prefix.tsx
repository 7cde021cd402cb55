import { CircleCheck } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ShareBar } from '@/components/charts/share-bar';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { levelFilter } from '@/components/reports/filter/level-filter';
import { PrefixName } from '@/components/reports/prefix-name';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Select } from '@/components/ui/forms/select';
import type { IdleReport } from '@/lib/model/reports/reports';

const DAYS = ['1', '7', '30', '90', '180', '365'];

export function IdleByPrefix(props: { instanceId: string; report: IdleReport; onDays: (days: number) => void }) {
  const t = useTranslations('idle');
  const f = useFormat();
  const href = useReportHref(props.instanceId);
  const { report } = props;
  const chosen = String(report.idleDays);
  const choices = DAYS.includes(chosen) ? DAYS : [chosen, ...DAYS];
  const rows = report.byPrefix.filter((row) => row.idleKeys > 0);
  const columns: DataColumn<IdleReport['byPrefix'][number]>[] = [
    {
      id: 'prefix',
      header: t('column.prefix'),
      value: (row) => row.prefix,
      className: 'w-full max-w-0',
      cell: (row) => (
        <PrefixName
          prefix={row.prefix}
          href={href('keys', { ...levelFilter(row.prefix), idleMin: report.idleDays * 86_400 })}
        />
      ),
    },
    {
      id: 'idleKeys',
      header: t('column.idleKeys'),
      num: true,
      value: (row) => row.idleKeys,
      cell: (row) => <Value value={row.idleKeys} as="number" />,
    },
    {
      id: 'idleBytes',
      header: t('column.idleBytes'),
      num: true,
      value: (row) => row.idleBytes,
      cell: (row) => <Value value={row.idleBytes} as="bytes" />,
    },
    {
      id: 'share',
      header: t('column.share'),
      descFirst: true,
      value: (row) => (row.bytes > 0 ? row.idleBytes / row.bytes : null),
      cell: (row) => (
        <span className="flex items-center gap-2">
          <span className="w-12 max-sm:hidden">
            <ShareBar share={row.bytes > 0 ? row.idleBytes / row.bytes : 0} color="--chart-8" />
          </span>
          <span className="num w-11 text-right text-muted-foreground text-xs">
            {f.shareOf(row.idleBytes, row.bytes)}
          </span>
        </span>
      ),
    },
  ];
  return (
    <Card>
      <CardHeader
        title={t('byPrefix')}
        description={t('byPrefixHint', { days: report.idleDays })}
        actions={
          <Select
            size="sm"
            aria-label={t('days')}
            value={chosen}
            onValueChange={(value) => props.onDays(Number(value))}
            options={choices.map((value) => ({ value, label: t('daysUnit', { days: Number(value) }) }))}
          />
        }
      />
      {rows.length === 0 ? (
        <EmptyState icon={CircleCheck} title={t('byPrefixEmpty')} />
      ) : (
        <DataTable
          label={t('byPrefix')}
          className="max-h-96 overflow-y-auto"
          columns={columns}
          rows={rows}
          rowId={(row) => row.prefix}
        />
      )}
    </Card>
  );
}
