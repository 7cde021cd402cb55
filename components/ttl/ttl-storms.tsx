'use client';
import { CircleCheck } from 'lucide-react';
import Link from 'next/link';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { KeyName } from '@/components/ui/key-name';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { TtlReport } from '@/lib/model/reports/reports';

export function TtlStorms({ instanceId, report, asOf }: { instanceId: string; report: TtlReport; asOf: number }) {
  const t = useTranslations('ttl');
  const f = useFormat();
  const href = useReportHref(instanceId);
  const minute = useMemo(
    () =>
      new Intl.DateTimeFormat(f.locale, {
        month: 'short',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      }),
    [f.locale],
  );
  return (
    <Card>
      <CardHeader title={t('storms')} description={t('stormsHint')} />
      {report.storms.length === 0 ? (
        <EmptyState icon={CircleCheck} title={t('stormsEmpty')} />
      ) : (
        <TableScroll label={t('storms')} className="max-h-80 overflow-y-auto">
          <Table>
            <THead className="sticky top-0 bg-surface">
              <tr>
                <Th>{t('column.minute')}</Th>
                <Th>{t('column.prefix')}</Th>
                <Th right>{t('column.keys')}</Th>
                <Th right className="max-sm:hidden">
                  {t('column.bytes')}
                </Th>
                <Th right className="max-2xl:hidden">
                  {t('column.expected')}
                </Th>
                <Th right>{t('column.times')}</Th>
              </tr>
            </THead>
            <TBody>
              {report.storms.map((storm) => {
                const from = Math.floor((storm.minute - asOf) / 1000);
                return (
                  <Tr key={`${storm.minute}:${storm.prefix}`}>
                    <Td className="num">
                      <Link
                        href={href('keys', {
                          prefix: storm.prefix || null,
                          expiry: 'any',
                          ttlMin: Math.max(0, from),
                          ttlMax: from + 60,
                        })}
                        prefetch={false}
                        className="hover:text-accent hover:underline"
                      >
                        <span title={f.dateTimeExact(storm.minute)}>{minute.format(storm.minute)}</span>
                      </Link>
                    </Td>
                    <Td className="w-full min-w-28 max-w-0">
                      <KeyName name={storm.prefix} max={48} />
                    </Td>
                    <Td num>
                      <Value value={storm.keys} as="number" />
                    </Td>
                    <Td num className="max-sm:hidden">
                      <Value value={storm.bytes} as="bytes" />
                    </Td>
                    <Td num className="text-muted-foreground max-2xl:hidden">
                      {f.decimal(storm.expected, storm.expected < 10 ? 1 : 0)}
                    </Td>
                    <Td num className="font-medium text-danger">
                      {f.number(Math.round(storm.times))}×
                    </Td>
                  </Tr>
                );
              })}
            </TBody>
          </Table>
        </TableScroll>
      )}
    </Card>
  );
}
