import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { NotInFile } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { toVisibleText } from '@/components/ui/visible-text';
import type { ServerAudit } from '@/lib/model/servers/server-audit';
import { useEventColumns } from './use-event-columns';

/** The number of entries that are listed, of all nodes together. */
const SHOWN = 50;

export function SlowlogTable({ audit }: { audit: ServerAudit }) {
  const t = useTranslations('serverAudit');
  const f = useFormat();
  const eventColumns = useEventColumns<(typeof rows)[number]>();
  const known = audit.nodes.some((node) => node.slowlog !== null);
  const rows = audit.nodes
    .flatMap((node) =>
      (node.slowlog ?? []).map((entry, i) => ({ ...entry, address: node.address, key: `${node.address} ${i}` })),
    )
    .toSorted((a, b) => b.microseconds - a.microseconds)
    .slice(0, SHOWN);
  const columns: DataColumn<(typeof rows)[number]>[] = [
    createFigureColumn('duration', t('column.duration'), 'ms', (row) => row.microseconds / 1000, {
      className: 'whitespace-nowrap',
    }),
    {
      id: 'command',
      header: t('column.command'),
      value: (row) => row.command,
      className: 'max-w-96 break-all font-mono text-xs',
      cell: (row) => (
        <>
          <bdi>{toVisibleText([row.command, ...row.args].join(' '))}</bdi>
          <NotInFile>
            <span className="block font-sans text-muted-foreground sm:hidden">
              {f.dateTime(row.at)} · {row.address}
            </span>
          </NotInFile>
        </>
      ),
    },
    ...eventColumns,
  ];
  return (
    <Card id="slowlog" className="scroll-mt-16">
      <CardHeader title={t('slowlog')} description={t('slowlogNote')} />
      {rows.length === 0 ? (
        <CardBody className="text-muted-foreground text-sm">{t(known ? 'slowlogEmpty' : 'slowlogUnknown')}</CardBody>
      ) : (
        <DataTable
          id="server-slowlog"
          label={t('slowlogLabel')}
          first={5}
          columns={columns}
          rows={rows}
          rowId={(row) => row.key}
        />
      )}
    </Card>
  );
}
