import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';

/** The numbers of a histogram as a table. */
export function BucketTable(props: {
  label: string;
  head: string;
  rows: { id: string; label: string; href: string; keys: number; bytes: number }[];
}) {
  const t = useTranslations('filters.report');
  // No order for the first column: buckets come in theirs, which a third click on a figure brings back.
  const columns: DataColumn<(typeof props.rows)[number]>[] = [
    {
      id: 'bucket',
      header: props.head,
      className: 'num',
      cell: (row) => (
        <Link href={row.href} prefetch={false} className="hover:text-accent hover:underline">
          {row.label}
        </Link>
      ),
    },
    {
      id: 'keys',
      header: t('keys'),
      num: true,
      value: (row) => row.keys,
      cell: (row) => <Value value={row.keys} as="number" />,
    },
    {
      id: 'bytes',
      header: t('bytes'),
      num: true,
      value: (row) => row.bytes,
      cell: (row) => <Value value={row.bytes} as="bytes" />,
    },
  ];
  return (
    <DataTable
      label={props.label}
      className="max-h-72 overflow-y-auto"
      columns={columns}
      rows={props.rows}
      rowId={(row) => row.id}
    />
  );
}
