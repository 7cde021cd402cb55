'use client';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { TypeBadge } from '@/components/ui/type-badge';
import type { TypeShare } from '@/lib/model/reports/reports';

const NUMBERS = ['keys', 'bytes', 'avg', 'p50', 'p99', 'max', 'expiry'] as const;

export function TypeTable({ instanceId, types }: { instanceId: string; types: TypeShare[] }) {
  const t = useTranslations('types');
  const f = useFormat();
  const href = useReportHref(instanceId);
  return (
    <Card>
      <CardHeader title={t('types')} />
      <TableScroll label={t('types')}>
        <Table>
          <THead>
            <tr>
              <Th>{t('column.type')}</Th>
              {NUMBERS.map((id) => (
                <Th key={id} right>
                  {t(`column.${id}`)}
                </Th>
              ))}
            </tr>
          </THead>
          <TBody>
            {[...types]
              .sort((a, b) => b.keys - a.keys)
              .map((row) => (
                <Tr key={row.type}>
                  <Td>
                    {row.type === null ? (
                      <TypeBadge type={null} className="text-sm" />
                    ) : (
                      <Link
                        href={href('keys', { type: [row.type] })}
                        prefetch={false}
                        className="hover:text-accent hover:underline"
                      >
                        <TypeBadge type={row.type} className="text-sm" />
                      </Link>
                    )}
                  </Td>
                  <Td num>
                    <Value value={row.keys} as="number" />
                  </Td>
                  <Td num>
                    <Value value={row.keys > row.bytesUnknown ? row.bytes : null} as="bytes" />
                  </Td>
                  {([row.avgBytes, row.p50Bytes, row.p99Bytes, row.maxBytes] as const).map((value, i) => (
                    <Td key={NUMBERS[i + 2]} num>
                      <Value value={value} as="bytes" />
                    </Td>
                  ))}
                  {/* A key without a known type has no known expiry either. */}
                  <Td num>{row.type === null ? f.share(null) : f.shareOf(row.withExpiry, row.keys)}</Td>
                </Tr>
              ))}
          </TBody>
        </Table>
      </TableScroll>
    </Card>
  );
}
