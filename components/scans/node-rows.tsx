import { useTranslations } from 'use-intl';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { ProgressBar } from '@/components/ui/progress';
import type { Progress as JobProgress } from '@/lib/model/job';

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

/** The share that is done, 0 to 1; null: the number of keys is unknown. */
const computeDoneShare = ({ state, done, total }: Node) => (state === 'done' ? 1 : total ? done / total : null);

export function NodeRows({ nodes }: { nodes: Node[] }) {
  const t = useTranslations('scans.live');
  const states = useTranslations('scans.nodeState');
  const columns: DataColumn<Node>[] = [
    {
      id: 'node',
      header: t('node'),
      value: ({ address }) => address,
      className: 'font-mono text-xs',
      cell: (node) => node.address,
    },
    {
      id: 'db',
      header: t('db'),
      num: true,
      value: ({ db }) => db,
      cell: (node) => node.db ?? '—',
    },
    {
      id: 'state',
      header: t('state'),
      value: ({ state }) => state,
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
      value: computeDoneShare,
      cell: (node) => (
        <div data-whole={computeDoneShare(node) ?? ''}>
          <ProgressBar
            value={computeDoneShare(node) ?? 0}
            tone={node.state === 'done' ? 'success' : node.state === 'waiting' ? 'warning' : 'accent'}
            label={`${t('progress')} ${node.address} ${node.db ?? ''}`}
          />
        </div>
      ),
    },
    createFigureColumn('keys', t('progressKeys'), 'number', ({ done }) => done),
    createFigureColumn('latency', t('latency'), 'ms', ({ latencyMs }) => latencyMs, { hide: 'max-sm:hidden' }),
  ];
  return (
    <DataTable
      id="job-nodes"
      label={t('nodes')}
      className="rounded-md border"
      first={10}
      columns={columns}
      rows={nodes}
      rowId={(node) => `${node.address}/${node.db}`}
    />
  );
}
