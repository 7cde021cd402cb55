import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { TypeBadge } from '@/components/ui/type-badge';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { TypeShare } from '@/lib/model/reports/reports';

export function TypeTable({ instanceId, types }: { instanceId: string; types: TypeShare[] }) {
  const t = useTranslations('types');
  const f = useFormat();
  const href = useReportHref(instanceId);
  const columns: DataColumn<TypeShare>[] = [
    {
      id: 'type',
      header: t('column.type'),
      value: (row) => row.type,
      cell: (row) =>
        row.type === null ? (
          <TypeBadge type={null} className="text-sm" />
        ) : (
          <Link href={href('keys', { type: [row.type] })} className="hover:text-accent hover:underline">
            <TypeBadge type={row.type} className="text-sm" />
          </Link>
        ),
    },
    createFigureColumn('keys', t('column.keys'), 'number', (row) => row.keys),
    createFigureColumn('bytes', t('column.bytes'), 'bytes', toKnownBytes),
    createFigureColumn('avg', t('column.avg'), 'bytes', (row) => row.avgBytes),
    createFigureColumn('p50', t('column.p50'), 'bytes', (row) => row.p50Bytes),
    createFigureColumn('p99', t('column.p99'), 'bytes', (row) => row.p99Bytes),
    createFigureColumn('max', t('column.max'), 'bytes', (row) => row.maxBytes),
    {
      id: 'expiry',
      header: t('column.expiry'),
      num: true,
      // A key without a known type has no known expiry either.
      value: (row) => (row.type === null || row.keys === 0 ? null : row.withExpiry / row.keys),
      cell: (row) => (row.type === null ? f.share(null) : f.shareOf(row.withExpiry, row.keys)),
    },
  ];
  return (
    <Card>
      <CardHeader title={t('types')} />
      <DataTable
        label={t('types')}
        columns={columns}
        rows={types.toSorted((a, b) => b.keys - a.keys)}
        rowId={(row) => row.type ?? ''}
      />
    </Card>
  );
}
