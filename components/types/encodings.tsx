'use client';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { ShareBar } from '@/components/charts/share-bar';
import { typeColor } from '@/components/charts/type-colors';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { TypeBadge } from '@/components/ui/type-badge';
import type { TypesReport } from '@/lib/model/reports/reports';

export function Encodings({ instanceId, encodings }: { instanceId: string; encodings: TypesReport['encodings'] }) {
  const t = useTranslations('types');
  const filters = useTranslations('filters');
  const f = useFormat();
  const href = useReportHref(instanceId);
  const all = encodings.reduce((sum, row) => sum + row.keys, 0);
  return (
    <Card>
      <CardHeader title={t('encodings')} description={t('encodingsHint')} />
      <TableScroll label={t('encodings')}>
        <Table>
          <THead>
            <tr>
              <Th>{t('column.type')}</Th>
              <Th>{t('column.encoding')}</Th>
              <Th right>{t('column.keys')}</Th>
              <Th className="max-sm:hidden">{t('column.share')}</Th>
              <Th right>{t('column.bytes')}</Th>
              <Th right>{t('column.avg')}</Th>
            </tr>
          </THead>
          <TBody>
            {encodings.map((row) => (
              <Tr key={`${row.type}:${row.encoding}`}>
                <Td>
                  <TypeBadge type={row.type} className="text-sm" />
                </Td>
                <Td>
                  {row.encoding === null ? (
                    <span className="text-muted-foreground">{filters('unknown')}</span>
                  ) : (
                    <Link
                      href={href('keys', { type: row.type ? [row.type] : null, encoding: [row.encoding] })}
                      prefetch={false}
                      className="font-mono hover:text-accent hover:underline"
                    >
                      {row.encoding}
                    </Link>
                  )}
                </Td>
                <Td num>
                  <Value value={row.keys} as="number" />
                </Td>
                <Td className="w-full max-sm:hidden">
                  <span className="flex items-center gap-2">
                    <span className="w-full max-w-48">
                      <ShareBar share={all > 0 ? row.keys / all : 0} color={typeColor(row.type)} />
                    </span>
                    <span className="num w-11 text-right text-muted-foreground text-xs">
                      {f.shareOf(row.keys, all)}
                    </span>
                  </span>
                </Td>
                <Td num>
                  <Value value={row.keys > row.bytesUnknown ? row.bytes : null} as="bytes" />
                </Td>
                <Td num>
                  <Value value={row.avgBytes} as="bytes" />
                </Td>
              </Tr>
            ))}
          </TBody>
        </Table>
      </TableScroll>
    </Card>
  );
}
