import { useTranslations } from 'use-intl';
import { getTypeToken } from '@/components/charts/scales/type-colors';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { ShareCell } from '@/components/reports/share-cell';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { TypeBadge } from '@/components/ui/type-badge';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { TypesReport } from '@/lib/model/reports/reports';

export function Encodings({ instanceId, encodings }: { instanceId: string; encodings: TypesReport['encodings'] }) {
  const t = useTranslations('types');
  const filters = useTranslations('filters');
  const href = useReportHref(instanceId);
  const all = encodings.reduce((sum, row) => sum + row.keys, 0);
  const columns: DataColumn<TypesReport['encodings'][number]>[] = [
    {
      id: 'type',
      header: t('column.type'),
      value: (row) => row.type,
      cell: (row) => <TypeBadge type={row.type} className="text-sm" />,
    },
    {
      id: 'encoding',
      header: t('column.encoding'),
      value: (row) => row.encoding,
      cell: (row) =>
        row.encoding === null ? (
          <span className="text-muted-foreground">{filters('unknown')}</span>
        ) : (
          <Link
            href={href('keys', { type: row.type ? [row.type] : null, encoding: [row.encoding] })}
            className="font-mono hover:text-accent hover:underline"
          >
            {row.encoding}
          </Link>
        ),
    },
    createFigureColumn('keys', t('column.keys'), 'number', (row) => row.keys),
    {
      id: 'share',
      header: t('column.share'),
      hide: 'max-sm:hidden',
      className: 'w-full',
      cell: (row) => (
        <ShareCell share={all > 0 ? row.keys / all : null} color={getTypeToken(row.type)} barClass="w-full max-w-48" />
      ),
    },
    createFigureColumn('bytes', t('column.bytes'), 'bytes', toKnownBytes),
    createFigureColumn('avg', t('column.avg'), 'bytes', (row) => row.avgBytes),
  ];
  return (
    <Card>
      <CardHeader title={t('encodings')} description={t('encodingsHint')} />
      <DataTable
        label={t('encodings')}
        columns={columns}
        rows={encodings}
        rowId={(row) => `${row.type}:${row.encoding}`}
      />
    </Card>
  );
}
