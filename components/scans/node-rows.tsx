'use client';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { ProgressBar } from '@/components/ui/progress';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
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

export function NodeRows({ nodes }: { nodes: Node[] }) {
  const t = useTranslations('scans.live');
  const states = useTranslations('scans.nodeState');
  const f = useFormat();
  return (
    <TableScroll label={t('nodes')} className="max-h-96 overflow-y-auto rounded-md border">
      <Table>
        <THead>
          <tr>
            <Th>{t('node')}</Th>
            <Th right>{t('db')}</Th>
            <Th>{t('state')}</Th>
            <Th className="w-2/5 max-sm:hidden">{t('progress')}</Th>
            <Th right>{t('progressKeys')}</Th>
            <Th right className="max-sm:hidden">
              {t('latency')}
            </Th>
          </tr>
        </THead>
        <TBody>
          {nodes.map((n) => (
            <Tr key={`${n.address}/${n.db}`}>
              <Td className="font-mono text-xs">{n.address}</Td>
              <Td num>{n.db ?? '—'}</Td>
              <Td>
                <Badge tone={TONES[n.state]}>{states(n.state)}</Badge>
                {n.restarts > 0 ? (
                  <span className="num ml-2 text-muted-foreground text-xs">
                    {t('restarts')}: {n.restarts}
                  </span>
                ) : null}
              </Td>
              <Td className="max-sm:hidden">
                <ProgressBar
                  value={n.state === 'done' ? 1 : n.total ? n.done / n.total : 0}
                  tone={n.state === 'done' ? 'success' : n.state === 'waiting' ? 'warning' : 'accent'}
                  label={`${t('progress')} ${n.address} ${n.db ?? ''}`}
                />
              </Td>
              <Td num>{f.number(n.done)}</Td>
              <Td num className="max-sm:hidden">
                <Value value={n.latencyMs} as="ms" />
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
    </TableScroll>
  );
}
