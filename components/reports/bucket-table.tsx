import { useTranslations } from 'use-intl';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { figureColumn } from '@/components/data-table/figure-column';
import { Link } from '@/components/ui/link';

/** The numbers of a histogram as a table. */
export function BucketTable(props: {
  label: string;
  head: string;
  rows: readonly { id: string; label: string; href: string; keys: number; bytes: number | null }[];
}) {
  const t = useTranslations('filters.report');
  // The first column is not sortable: buckets have an order of their own, which a third click on a column of figures
  // restores.
  const columns: DataColumn<(typeof props.rows)[number]>[] = [
    {
      id: 'bucket',
      header: props.head,
      className: 'num',
      cell: (row) => (
        <Link href={row.href} className="hover:text-accent hover:underline">
          {row.label}
        </Link>
      ),
    },
    figureColumn('keys', t('keys'), 'number', (row) => row.keys),
    figureColumn('bytes', t('bytes'), 'bytes', (row) => row.bytes),
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
