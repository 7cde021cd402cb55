'use client';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { KeyName } from '@/components/ui/key-name';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { SlotsReport } from '@/lib/model/reports/reports';

export function SlotTags({ instanceId, report }: { instanceId: string; report: SlotsReport }) {
  const t = useTranslations('slots');
  const f = useFormat();
  const href = useReportHref(instanceId);
  const { tags, tagCount } = report;
  return (
    <Card>
      <CardHeader
        title={t('tags')}
        description={
          tagCount > tags.length ? t('tagsMore', { count: f.number(tagCount), shown: tags.length }) : t('tagsHint')
        }
      />
      {tags.length === 0 ? (
        <EmptyState title={t('tagsNone')} />
      ) : (
        <TableScroll label={t('tags')} className="max-h-96 overflow-y-auto">
          <Table>
            <THead className="sticky top-0 bg-surface">
              <tr>
                <Th>{t('column.tag')}</Th>
                <Th right className="max-2xl:hidden">
                  {t('column.slot')}
                </Th>
                <Th right>{t('column.keys')}</Th>
                <Th right>{t('column.shareKeys')}</Th>
                <Th right>{t('column.bytes')}</Th>
                <Th right className="max-sm:hidden">
                  {t('column.shareBytes')}
                </Th>
              </tr>
            </THead>
            <TBody>
              {tags.map((row) => (
                <Tr key={row.tag}>
                  <Td className="w-full min-w-28 max-w-0">
                    <Link
                      href={href('keys', { tag: row.tag })}
                      prefetch={false}
                      className="hover:text-accent hover:underline"
                    >
                      <KeyName name={`{${row.tag}}`} max={40} />
                    </Link>
                  </Td>
                  <Td num className="text-muted-foreground max-2xl:hidden">
                    {row.slot}
                  </Td>
                  <Td num>
                    <Value value={row.keys} as="number" />
                  </Td>
                  <Td num className="text-muted-foreground">
                    {f.share(row.shareKeys)}
                  </Td>
                  <Td num>
                    <Value value={row.bytes} as="bytes" />
                  </Td>
                  <Td num className="text-muted-foreground max-sm:hidden">
                    {f.share(row.shareBytes)}
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
