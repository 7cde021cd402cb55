import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import type { DataColumn, TableOrder } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { figureColumn } from '@/components/data-table/figure-column';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { ProgressBar } from '@/components/ui/progress';
import type { Progress as JobProgress } from '@/lib/model/job';
import { JOB_NODE_VALUES } from '@/lib/model/reports/list-values';

type Node = JobProgress['nodes'][number];

const TONES: Record<Node['state'], BadgeTone> = {
  pending: 'neutral',
  scanning: 'accent',
  removing: 'accent',
  waiting: 'warning',
  done: 'success',
  skipped: 'warning',
  stopped: 'neutral',
};

/** `order`: set by a page that also offers the rows as a file. */
export function NodeRows({ nodes, order }: { nodes: Node[]; order?: TableOrder | undefined }) {
  const t = useTranslations('scans.live');
  const states = useTranslations('scans.nodeState');
  const f = useFormat();
  const columns: DataColumn<Node>[] = [
    {
      id: 'node',
      header: t('node'),
      value: JOB_NODE_VALUES.node,
      className: 'font-mono text-xs',
      cell: (node) => node.address,
    },
    {
      id: 'db',
      header: t('db'),
      num: true,
      value: JOB_NODE_VALUES.db,
      cell: (node) => node.db ?? '—',
    },
    {
      id: 'state',
      header: t('state'),
      value: JOB_NODE_VALUES.state,
      cell: (node) => (
        <>
          <Badge tone={TONES[node.state]}>{states(node.state)}</Badge>
          {node.restarts > 0 ? (
            <span className="num ml-2 text-muted-foreground text-xs">
              {t('restarts')}: {node.restarts}
            </span>
          ) : null}
        </>
      ),
    },
    {
      id: 'progress',
      header: t('progress'),
      descFirst: true,
      hide: 'max-sm:hidden',
      headClassName: 'w-2/5',
      value: JOB_NODE_VALUES.progress,
      cell: (node) => (
        <ProgressBar
          value={JOB_NODE_VALUES.progress(node) ?? 0}
          tone={node.state === 'done' ? 'success' : node.state === 'waiting' ? 'warning' : 'accent'}
          label={`${t('progress')} ${node.address} ${node.db ?? ''}`}
        />
      ),
    },
    {
      id: 'keys',
      header: t('progressKeys'),
      num: true,
      value: JOB_NODE_VALUES.keys,
      cell: (node) => f.number(node.done),
    },
    figureColumn('latency', t('latency'), 'ms', JOB_NODE_VALUES.latency, { hide: 'max-sm:hidden' }),
  ];
  return (
    <DataTable
      label={t('nodes')}
      className="max-h-96 overflow-y-auto rounded-md border"
      columns={columns}
      rows={nodes}
      rowId={(node) => `${node.address}/${node.db}`}
      {...(order && { order })}
    />
  );
}
