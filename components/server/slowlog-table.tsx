'use client';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { visibleText } from '@/components/ui/visible-text';
import type { ServerAudit } from '@/lib/model/server-audit';

const SHOWN = 50;

export function SlowlogTable({ audit }: { audit: ServerAudit }) {
  const t = useTranslations('serverAudit');
  const f = useFormat();
  const known = audit.nodes.some((node) => node.slowlog !== null);
  const rows = audit.nodes
    .flatMap((node) =>
      (node.slowlog ?? []).map((entry, i) => ({ ...entry, address: node.address, key: `${node.address} ${i}` })),
    )
    .toSorted((a, b) => b.microseconds - a.microseconds)
    .slice(0, SHOWN);
  return (
    <Card>
      <CardHeader title={t('slowlog')} description={t('slowlogNote')} />
      {rows.length === 0 ? (
        <CardBody className="text-muted-foreground text-sm">{t(known ? 'slowlogEmpty' : 'slowlogUnknown')}</CardBody>
      ) : (
        <TableScroll label={t('slowlogLabel')} className="max-h-96 overflow-y-auto">
          <Table>
            <THead>
              <tr>
                <Th right>{t('column.duration')}</Th>
                <Th>{t('column.command')}</Th>
                <Th>{t('column.at')}</Th>
                <Th>{t('column.node')}</Th>
              </tr>
            </THead>
            <TBody>
              {rows.map((row) => (
                <Tr key={row.key}>
                  <Td num className="whitespace-nowrap">
                    {f.ms(row.microseconds / 1000)}
                  </Td>
                  <Td className="max-w-96 break-all font-mono text-xs">
                    <bdi>{visibleText([row.command, ...row.args].join(' '))}</bdi>
                  </Td>
                  <Td className="whitespace-nowrap text-muted-foreground text-xs">{f.dateTime(row.at)}</Td>
                  <Td className="whitespace-nowrap font-mono text-muted-foreground text-xs">{row.address}</Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        </TableScroll>
      )}
    </Card>
  );
}
