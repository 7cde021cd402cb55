import { useTranslations } from 'use-intl';
import { NotInFile, Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { Badge } from '@/components/ui/badge';
import type { ConnectionReport, NodeFacts } from '@/lib/model/servers/server-facts';
import { countSlots } from '@/lib/model/servers/slot-ranges';

/** The nodes of an instance. `compact`: without the columns that fit only a whole page. */
export function NodeTable({ report, compact }: { report: ConnectionReport; compact?: boolean }) {
  const t = useTranslations('instances.report');
  const unconfirmed = new Set(report.unconfirmed);
  const notUsed = new Set(
    report.warnings.flatMap(({ code, params }) => (code === 'node_not_used' ? params.address : [])),
  );
  const describeHealth = (node: NodeFacts) =>
    node.healthy
      ? ({ tone: 'success', text: 'healthy' } as const)
      : unconfirmed.has(node.address)
        ? ({ tone: 'warning', text: 'notConfirmed' } as const)
        : notUsed.has(node.address)
          ? ({ tone: 'outline', text: 'notUsed' } as const)
          : ({ tone: 'danger', text: 'unhealthy' } as const);
  const columns: DataColumn<NodeFacts>[] = [
    {
      id: 'node',
      header: t('node'),
      value: (node) => node.address,
      className: 'font-mono text-xs',
      cell: (node) => (
        <>
          {node.address}
          <NotInFile>
            {node.healthy ? null : (
              <Badge tone={describeHealth(node).tone} className={compact ? 'ml-2' : 'ml-2 sm:hidden'}>
                {t(describeHealth(node).text)}
              </Badge>
            )}
            <span className="block font-sans text-muted-foreground sm:hidden">{t(`roles.${node.role}`)}</span>
          </NotInFile>
        </>
      ),
    },
    {
      id: 'role',
      header: t('role'),
      hide: 'max-sm:hidden',
      value: (node) => t(`roles.${node.role}`),
      getTitle: (node) => (node.masterAddress ? t('replicaOf', { address: node.masterAddress }) : undefined),
      cell: (node) => t(`roles.${node.role}`),
    },
  ];
  if (report.topology === 'cluster')
    columns.push(
      createFigureColumn('slots', t('slots'), 'number', (node) => countSlots(node.slots), {
        hide: 'max-sm:hidden',
        getTitle: (node) => node.slots.map(([a, b]) => `${a}–${b}`).join(', '),
      }),
    );
  columns.push(createFigureColumn('keys', t('keys'), 'number', (node) => node.keys));
  if (!compact)
    columns.push(
      createFigureColumn('used', t('used'), 'bytes', (node) => node.usedMemoryBytes),
      {
        id: 'limit',
        header: t('limit'),
        hide: 'max-sm:hidden',
        num: true,
        // 0 means no limit, which sorts above every limit.
        value: (node) => (node.maxmemoryBytes === 0 ? Number.MAX_VALUE : node.maxmemoryBytes),
        cell: (node) => (node.maxmemoryBytes === 0 ? t('noLimit') : <Value value={node.maxmemoryBytes} as="bytes" />),
      },
      {
        id: 'version',
        header: t('version'),
        hide: 'max-sm:hidden',
        value: (node) => node.version,
        className: 'num',
        cell: (node) => node.version ?? '—',
      },
      {
        id: 'health',
        header: t('health'),
        hide: 'max-sm:hidden',
        value: (node) => (node.healthy ? 1 : 0),
        cell: (node) => <Badge tone={describeHealth(node).tone}>{t(describeHealth(node).text)}</Badge>,
      },
    );
  return (
    <DataTable
      id="server-nodes"
      label={t('nodes')}
      className={compact ? 'rounded-lg border' : undefined}
      columns={columns}
      rows={report.nodes}
      rowId={(node) => node.address}
    />
  );
}
