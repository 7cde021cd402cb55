import { useTranslations } from 'use-intl';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import type { ServerAudit } from '@/lib/model/servers/server-audit';
import { useEventColumns } from './use-event-columns';

export function LatencyTable({ audit }: { audit: ServerAudit }) {
  const t = useTranslations('serverAudit');
  const eventColumns = useEventColumns<(typeof rows)[number]>();
  const known = audit.nodes.some((node) => node.latency !== null);
  const rows = audit.nodes.flatMap((node) =>
    (node.latency ?? []).map((event) => ({ ...event, address: node.address })),
  );
  const columns: DataColumn<(typeof rows)[number]>[] = [
    {
      id: 'event',
      header: t('column.event'),
      value: (row) => row.event,
      className: 'font-mono text-xs',
      cell: (row) => row.event,
    },
    createFigureColumn('last', t('column.last'), 'ms', (row) => row.lastMs),
    createFigureColumn('max', t('column.max'), 'ms', (row) => row.maxMs),
    ...eventColumns,
  ];
  return (
    <Card id="latency" className="scroll-mt-16">
      <CardHeader title={t('latency')} />
      {rows.length === 0 ? (
        <CardBody className="text-muted-foreground text-sm">{t(known ? 'latencyEmpty' : 'latencyUnknown')}</CardBody>
      ) : (
        <DataTable
          id="server-latency"
          label={t('latency')}
          columns={columns}
          rows={rows}
          rowId={(row) => `${row.address} ${row.event}`}
        />
      )}
    </Card>
  );
}
