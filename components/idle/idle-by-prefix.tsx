import { CircleCheck } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { buildPathFilterPatch } from '@/components/reports/filter/level-filter';
import { PrefixName } from '@/components/reports/prefix-name';
import { ShareCell } from '@/components/reports/share-cell';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Select } from '@/components/ui/forms/select';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { IdleReport } from '@/lib/model/reports/reports';

const DAY_SECONDS = 86_400;
/** The offered idle times in days; the address may contain others. */
const DAYS = ['1', '7', '30', '90', '180', '365'];

export function IdleByPrefix(props: { instanceId: string; report: IdleReport; onDays: (days: number) => void }) {
  const t = useTranslations('idle');
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
          href={href('keys', {
            ...buildPathFilterPatch(row.prefix, { exact: false }),
            idleMin: report.idleDays * DAY_SECONDS,
          })}
        />
      ),
    },
    createFigureColumn('idleKeys', t('column.idleKeys'), 'number', (row) => row.idleKeys),
    createFigureColumn('idleBytes', t('column.idleBytes'), 'bytes', (row) =>
      toKnownBytes({ keys: row.idleKeys, bytes: row.idleBytes }),
    ),
    {
      id: 'share',
      header: t('column.share'),
      descFirst: true,
      value: (row) => (row.bytes > 0 ? row.idleBytes / row.bytes : null),
      cell: (row) => (
        <ShareCell
          share={row.bytes > 0 ? row.idleBytes / row.bytes : null}
          color="--chart-8"
          barClass="max-sm:hidden"
        />
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
        <DataTable label={t('byPrefix')} first={10} columns={columns} rows={rows} rowId={(row) => row.prefix} />
      )}
    </Card>
  );
}
