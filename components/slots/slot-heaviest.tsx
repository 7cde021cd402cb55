'use client';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { SlotsReport } from '@/lib/model/reports/reports';

export function SlotHeaviest({ instanceId, report }: { instanceId: string; report: SlotsReport }) {
  const t = useTranslations('slots');
  const f = useFormat();
  const href = useReportHref(instanceId);
  const { meanBytes, meanKeys } = report.skew;
  // Ordered by size, so measured by size; by keys only where no size is known.
  const timesOf = (row: { keys: number; bytes: number }) =>
    meanBytes > 0 ? row.bytes / meanBytes : meanKeys > 0 ? row.keys / meanKeys : null;
  const times = (value: number | null) =>
    value === null ? '—' : t('timesValue', { value: f.decimal(value, value < 10 ? 1 : 0) });
  return (
    <Card>
      <CardHeader title={t('heaviest')} description={t('heaviestHint')} />
      <TableScroll label={t('heaviest')} className="max-h-96 overflow-y-auto">
        <Table>
          <THead className="sticky top-0 bg-surface">
            <tr>
              <Th right>{t('column.slot')}</Th>
              <Th right>{t('column.keys')}</Th>
              <Th right>{t('column.bytes')}</Th>
              <Th right>{t('column.times')}</Th>
              <Th className="max-sm:hidden">{t('column.example')}</Th>
            </tr>
          </THead>
          <TBody>
            {report.heaviest.map((row) => (
              <Tr key={row.slot}>
                <Td num>
                  <Link
                    href={href('keys', { slotMin: row.slot, slotMax: row.slot })}
                    prefetch={false}
                    className="text-accent hover:underline"
                    title={report.nodes.find((n) => n.node === row.node)?.address}
                  >
                    {row.slot}
                  </Link>
                </Td>
                <Td num>
                  <Value value={row.keys} as="number" />
                </Td>
                <Td num>
                  <Value value={row.bytes} as="bytes" />
                </Td>
                <Td num>{times(timesOf(row))}</Td>
                <Td className="w-full max-w-0 max-sm:hidden">
                  <KeyName name={row.example} max={60} className="text-muted-foreground" />
                </Td>
              </Tr>
            ))}
          </TBody>
        </Table>
      </TableScroll>
    </Card>
  );
}
