'use client';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { ServerAudit } from '@/lib/model/server-audit';

const SHOWN = 30;

/** Where the servers' time went, all nodes together. */
export function CommandTable({ audit }: { audit: ServerAudit }) {
  const t = useTranslations('serverAudit');
  const f = useFormat();
  // Most calls take less than a hundredth of a millisecond: one unit down the column, and never 0 for something.
  const micros = (value: number) => `${f.decimal(value, value < 10 ? 2 : value < 100 ? 1 : 0)} µs`;
  const sums = new Map<string, { calls: number; microseconds: number }>();
  for (const node of audit.nodes)
    for (const [name, stat] of Object.entries(node.commandStats ?? {})) {
      const sum = sums.get(name) ?? { calls: 0, microseconds: 0 };
      sums.set(name, { calls: sum.calls + stat.calls, microseconds: sum.microseconds + stat.microseconds });
    }
  const rows = [...sums].toSorted((a, b) => b[1].microseconds - a[1].microseconds).slice(0, SHOWN);
  return (
    <Card>
      <CardHeader title={t('commands')} />
      {rows.length === 0 ? (
        <CardBody className="text-muted-foreground text-sm">{t('commandsUnknown')}</CardBody>
      ) : (
        <TableScroll label={t('commandsLabel')} className="max-h-96 overflow-y-auto">
          <Table>
            <THead>
              <tr>
                <Th>{t('column.command')}</Th>
                <Th right>{t('column.calls')}</Th>
                <Th right>{t('column.perCall')}</Th>
                <Th right>{t('column.total')}</Th>
              </tr>
            </THead>
            <TBody>
              {rows.map(([name, { calls, microseconds }]) => (
                <Tr key={name}>
                  <Td className="font-mono text-xs">{name.toUpperCase().replace('|', ' ')}</Td>
                  <Td num>{f.number(calls)}</Td>
                  <Td num>{micros(microseconds / Math.max(1, calls))}</Td>
                  <Td num>{f.ms(microseconds / 1000)}</Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        </TableScroll>
      )}
    </Card>
  );
}
