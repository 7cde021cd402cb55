'use client';
import { CircleCheck } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ShareBar } from '@/components/charts/share-bar';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { PrefixName } from '@/components/reports/prefix-name';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { TtlReport } from '@/lib/model/reports/reports';

export function TtlNoExpiry({ instanceId, report }: { instanceId: string; report: TtlReport }) {
  const t = useTranslations('ttl');
  const f = useFormat();
  const href = useReportHref(instanceId);
  return (
    <Card>
      <CardHeader title={t('noExpiry')} description={t('noExpiryHint')} />
      {report.noExpiryByPrefix.length === 0 ? (
        <EmptyState icon={CircleCheck} title={t('noExpiryEmpty')} />
      ) : (
        <TableScroll label={t('noExpiry')} className="max-h-80 overflow-y-auto">
          <Table>
            <THead className="sticky top-0 bg-surface">
              <tr>
                <Th>{t('column.prefix')}</Th>
                <Th right>{t('column.keys')}</Th>
                <Th right>{t('column.bytes')}</Th>
                <Th>{t('column.share')}</Th>
              </tr>
            </THead>
            <TBody>
              {report.noExpiryByPrefix.map((row) => (
                <Tr key={row.prefix}>
                  <Td className="w-full max-w-0">
                    <PrefixName
                      prefix={row.prefix}
                      href={href('keys', { prefix: row.prefix, template: null, expiry: 'none' })}
                    />
                  </Td>
                  <Td num>
                    <Value value={row.keys} as="number" />
                  </Td>
                  <Td num>
                    <Value value={row.bytes} as="bytes" />
                  </Td>
                  <Td>
                    <span className="flex items-center gap-2">
                      <span className="w-12 max-sm:hidden">
                        <ShareBar share={row.share} color="--warning-solid" />
                      </span>
                      <span className="num w-11 text-right text-muted-foreground text-xs">{f.share(row.share)}</span>
                    </span>
                  </Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        </TableScroll>
      )}
    </Card>
  );
}
