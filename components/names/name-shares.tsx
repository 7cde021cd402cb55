import { useTranslations } from 'use-intl';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { ShareCell } from '@/components/reports/share-cell';
import { Card, CardHeader } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { KeyName } from '@/components/ui/key-name';

interface NameShare {
  id: string;
  label: string;
  keys: number;
  example: string;
}

/** How many names are of each kind, with an example of each. */
export function NameShares(props: {
  title: string;
  hint: string;
  /** Number of all keys under the filter. */
  all: number;
  rows: readonly NameShare[];
  /** Labels are shown in a monospaced font, as code. */
  mono?: boolean;
}) {
  const t = useTranslations('names.column');
  const columns: DataColumn<NameShare>[] = [
    {
      id: 'what',
      header: t('what'),
      className: cn('min-w-32 whitespace-normal', props.mono && 'font-mono'),
      cell: (row) => row.label,
    },
    {
      id: 'example',
      header: t('example'),
      hide: 'max-sm:hidden',
      className: 'w-full max-w-0 text-muted-foreground',
      cell: (row) => <KeyName name={row.example} max={60} />,
    },
    createFigureColumn('keys', t('keys'), 'number', (row) => row.keys),
    { id: 'share', header: t('share'), cell: (row) => <ShareCell share={row.keys / props.all} /> },
  ];
  return (
    <Card>
      <CardHeader title={props.title} description={props.hint} />
      <DataTable label={props.title} columns={columns} rows={props.rows} rowId={(row) => row.id} />
    </Card>
  );
}
