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
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { TtlReport } from '@/lib/model/reports/reports';

export function TtlNoExpiry({ instanceId, report }: { instanceId: string; report: TtlReport }) {
  const t = useTranslations('ttl');
  const href = useReportHref(instanceId);
  const columns: DataColumn<TtlReport['noExpiryByPrefix'][number]>[] = [
    {
      id: 'prefix',
      header: t('column.prefix'),
      value: (row) => row.prefix,
      className: 'w-full max-w-0',
      cell: (row) => (
        <PrefixName
          prefix={row.prefix}
          href={href('keys', { ...buildPathFilterPatch(row.prefix, { exact: false }), expiry: 'none' })}
        />
      ),
    },
    createFigureColumn('keys', t('column.keys'), 'number', (row) => row.keys),
    createFigureColumn('bytes', t('column.bytes'), 'bytes', toKnownBytes),
    {
      id: 'share',
      header: t('column.share'),
      descFirst: true,
      value: (row) => row.share,
      cell: (row) => <ShareCell share={row.share} color="--warning-solid" barClass="max-sm:hidden" />,
    },
  ];
  return (
    <Card className="xl:col-span-2">
      <CardHeader title={t('noExpiry')} description={t('noExpiryHint')} />
      {report.noExpiryByPrefix.length === 0 ? (
        <EmptyState icon={CircleCheck} title={t('noExpiryEmpty')} />
      ) : (
        <DataTable
          label={t('noExpiry')}
          first={10}
          columns={columns}
          rows={report.noExpiryByPrefix}
          rowId={(row) => row.prefix}
        />
      )}
    </Card>
  );
}
