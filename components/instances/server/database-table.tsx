import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { NotInFile, Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';

type Database = NonNullable<ConnectionReport['databases']>[number];

export function DatabaseTable({ databases }: { databases: Database[] }) {
  const t = useTranslations('instances.report');
  const f = useFormat();
  // The server reports 0 if it has no average.
  const getAverageTtl = (row: Database) => (row.avgTtlMs === 0 ? null : row.avgTtlMs);
  const columns: DataColumn<Database>[] = [
    {
      id: 'db',
      header: t('db'),
      value: (row) => row.db,
      className: 'font-mono text-xs',
      cell: (row) => `db${row.db}`,
    },
    createFigureColumn('keys', t('keys'), 'number', (row) => row.keys),
    {
      id: 'expires',
      header: t('expires'),
      num: true,
      headClassName: 'max-sm:px-1',
      className: 'max-sm:px-1',
      value: (row) => row.expires,
      cell: (row) => (
        <>
          <Value value={row.expires} as="number" />
          {row.expires !== null && row.keys > 0 ? (
            <NotInFile>
              <span className="ml-2 text-muted-foreground text-xs max-sm:hidden">
                {f.shareOf(row.expires, row.keys)}
              </span>
            </NotInFile>
          ) : null}
        </>
      ),
    },
    createFigureColumn('avgTtl', t('avgTtl'), 'ms', getAverageTtl),
  ];
  return (
    <DataTable
      id="server-databases"
      label={t('databases')}
      columns={columns}
      rows={databases}
      rowId={(row) => String(row.db)}
    />
  );
}
