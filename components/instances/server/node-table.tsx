'use client';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Badge } from '@/components/ui/badge';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { ConnectionReport, NodeFacts } from '@/lib/model/server-facts';

export function NodeTable({ report, compact }: { report: ConnectionReport; compact?: boolean }) {
  const t = useTranslations('instances.report');
  const f = useFormat();
  return (
    <TableScroll label={t('nodes')} className={compact ? 'rounded-lg border' : undefined}>
      <Table>
        <THead>
          <tr>
            <Th>{t('node')}</Th>
            <Th>{t('role')}</Th>
            {report.topology === 'cluster' ? <Th right>{t('slots')}</Th> : null}
            <Th right>{t('keys')}</Th>
            {compact ? null : (
              <>
                <Th right>{t('used')}</Th>
                <Th right>{t('limit')}</Th>
                <Th>{t('version')}</Th>
                <Th>{t('health')}</Th>
              </>
            )}
          </tr>
        </THead>
        <TBody>
          {report.nodes.map((n) => (
            <Tr key={n.address}>
              <Td className="font-mono text-xs">
                {n.address}
                {compact && !n.healthy ? (
                  <Badge tone="danger" className="ml-2">
                    {t('unhealthy')}
                  </Badge>
                ) : null}
              </Td>
              <Td title={n.masterAddress ? t('replicaOf', { address: n.masterAddress }) : undefined}>
                {t(`roles.${n.role}`)}
              </Td>
              {report.topology === 'cluster' ? (
                <Td num title={n.slots.map(([a, b]) => `${a}–${b}`).join(', ')}>
                  {f.number(slotCount(n))}
                </Td>
              ) : null}
              <Td num>
                <Value value={n.keys} as="number" />
              </Td>
              {compact ? null : (
                <>
                  <Td num>
                    <Value value={n.usedMemoryBytes} as="bytes" />
                  </Td>
                  <Td num>{n.maxmemoryBytes === 0 ? t('noLimit') : <Value value={n.maxmemoryBytes} as="bytes" />}</Td>
                  <Td className="num">{n.version ?? '—'}</Td>
                  <Td>
                    <Badge tone={n.healthy ? 'success' : 'danger'}>{t(n.healthy ? 'healthy' : 'unhealthy')}</Badge>
                  </Td>
                </>
              )}
            </Tr>
          ))}
        </TBody>
      </Table>
    </TableScroll>
  );
}

function slotCount(node: NodeFacts): number {
  return node.slots.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}
