import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { typeColor } from '@/components/charts/scales/type-colors';
import { ShareBar } from '@/components/charts/share-bar';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { TypeBadge } from '@/components/ui/type-badge';
import type { TypesReport } from '@/lib/model/reports/reports';

/** null: no size is known. */
const bytesOf = (row: { keys: number; bytes: number; bytesUnknown: number }) =>
  row.keys > row.bytesUnknown ? row.bytes : null;

export function Encodings({ instanceId, encodings }: { instanceId: string; encodings: TypesReport['encodings'] }) {
  const t = useTranslations('types');
  const filters = useTranslations('filters');
  const f = useFormat();
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
            prefetch={false}
            className="font-mono hover:text-accent hover:underline"
          >
            {row.encoding}
          </Link>
        ),
    },
    {
      id: 'keys',
      header: t('column.keys'),
      num: true,
      value: (row) => row.keys,
      cell: (row) => <Value value={row.keys} as="number" />,
    },
    {
      id: 'share',
      header: t('column.share'),
      hide: 'max-sm:hidden',
      className: 'w-full',
      cell: (row) => (
        <span className="flex items-center gap-2">
          <span className="w-full max-w-48">
            <ShareBar share={all > 0 ? row.keys / all : 0} color={typeColor(row.type)} />
          </span>
          <span className="num w-11 text-right text-muted-foreground text-xs">{f.shareOf(row.keys, all)}</span>
        </span>
      ),
    },
    {
      id: 'bytes',
      header: t('column.bytes'),
      num: true,
      value: bytesOf,
      cell: (row) => <Value value={bytesOf(row)} as="bytes" />,
    },
    {
      id: 'avg',
      header: t('column.avg'),
      num: true,
      value: (row) => row.avgBytes,
      cell: (row) => <Value value={row.avgBytes} as="bytes" />,
    },
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
