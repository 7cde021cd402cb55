import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { TypeBadge } from '@/components/ui/type-badge';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { TypeShare } from '@/lib/model/reports/reports';

/** The values to sort by; null: no size is known. */
const SIZES = {
  bytes: toKnownBytes,
  avg: (row: TypeShare) => row.avgBytes,
  p50: (row: TypeShare) => row.p50Bytes,
  p99: (row: TypeShare) => row.p99Bytes,
  max: (row: TypeShare) => row.maxBytes,
};

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
    ...(Object.keys(SIZES) as (keyof typeof SIZES)[]).map((id) => ({
      id,
      header: t(`column.${id}`),
      num: true,
      value: SIZES[id],
      cell: (row: TypeShare) => <Value value={SIZES[id](row)} as="bytes" />,
    })),
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
