'use client';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { ServerAudit } from '@/lib/model/server-audit';

export function LatencyTable({ audit }: { audit: ServerAudit }) {
  const t = useTranslations('serverAudit');
  const f = useFormat();
  const known = audit.nodes.some((node) => node.latency !== null);
  const rows = audit.nodes.flatMap((node) =>
    (node.latency ?? []).map((event) => ({ ...event, address: node.address })),
  );
  return (
    <Card>
      <CardHeader title={t('latency')} />
      {rows.length === 0 ? (
        <CardBody className="text-muted-foreground text-sm">{t(known ? 'latencyEmpty' : 'latencyUnknown')}</CardBody>
      ) : (
        <TableScroll label={t('latency')}>
          <Table>
            <THead>
              <tr>
                <Th>{t('column.event')}</Th>
                <Th right>{t('column.last')}</Th>
                <Th right>{t('column.max')}</Th>
                <Th>{t('column.at')}</Th>
                <Th>{t('column.node')}</Th>
              </tr>
            </THead>
            <TBody>
              {rows.map((row) => (
                <Tr key={`${row.address} ${row.event}`}>
                  <Td className="font-mono text-xs">{row.event}</Td>
                  <Td num>{f.ms(row.lastMs)}</Td>
                  <Td num>{f.ms(row.maxMs)}</Td>
                  <Td className="whitespace-nowrap text-muted-foreground text-xs">{f.dateTime(row.at)}</Td>
                  <Td className="font-mono text-muted-foreground text-xs">{row.address}</Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        </TableScroll>
      )}
    </Card>
  );
}
