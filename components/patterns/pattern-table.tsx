'use client';
import { TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { TypeMix } from '@/components/reports/type-mix';
import { useReportHref } from '@/components/reports/use-report-href';
import { KeyName } from '@/components/ui/key-name';
import { SortTh, Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { PatternRow } from '@/lib/model/reports/reports';

export function PatternTable(props: {
  instanceId: string;
  patterns: PatternRow[];
  keysInSnapshot: number;
  sort: string;
  onSort: (sort: string) => void;
}) {
  const t = useTranslations('patterns');
  const f = useFormat();
  const href = useReportHref(props.instanceId);
  const order = { sort: props.sort, onSort: props.onSort, right: true };
  return (
    <TableScroll label={t('table')} className="max-h-[calc(100dvh-16rem)] min-h-72 overflow-y-auto">
      <Table>
        <THead className="sticky top-0 z-10 border-b-0 bg-surface shadow-[inset_0_-1px_0_var(--border)]">
          <tr>
            <Th>{t('column.template')}</Th>
            <SortTh name="keys" {...order}>
              {t('column.keys')}
            </SortTh>
            <Th right className="max-md:hidden">
              {t('column.share')}
            </Th>
            <SortTh name="bytes" {...order}>
              {t('column.bytes')}
            </SortTh>
            <Th right className="max-md:hidden">
              {t('column.avg')}
            </Th>
            <Th className="max-sm:hidden">{t('column.types')}</Th>
            <Th right className="max-sm:hidden">
              {t('column.noExpiry')}
            </Th>
            <Th right className="max-lg:hidden">
              {t('column.ttl')}
            </Th>
            <Th right className="max-xl:hidden">
              {t('column.spread')}
            </Th>
          </tr>
        </THead>
        <TBody>
          {props.patterns.map((row) => {
            const kinds = Object.values(row.types).filter((keys) => keys > 0).length;
            return (
              <Tr key={row.template}>
                <Td className="w-full max-w-0 max-sm:min-w-44">
                  <Link
                    href={href('keys', { prefix: null, template: row.template })}
                    prefetch={false}
                    title={`${t('column.example')}: ${row.example}`}
                    className="hover:text-accent hover:underline"
                  >
                    <KeyName name={row.template} max={90} />
                  </Link>
                </Td>
                <Td num>
                  <Value value={row.keys} as="number" />
                </Td>
                <Td num className="text-muted-foreground max-md:hidden">
                  {f.shareOf(row.keys, props.keysInSnapshot)}
                </Td>
                <Td num>
                  <Value value={row.keys > row.bytesUnknown ? row.bytes : null} as="bytes" />
                </Td>
                <Td num className="max-md:hidden">
                  <Value value={row.avgBytes} as="bytes" />
                </Td>
                <Td className="max-sm:hidden">
                  <span className="flex items-center gap-1.5">
                    <TypeMix types={row.types} className="h-2 w-14" />
                    {kinds > 1 ? (
                      <span title={t('mixed', { count: kinds })}>
                        <TriangleAlert className="size-3.5 text-warning" aria-hidden />
                        <span className="sr-only">{t('mixed', { count: kinds })}</span>
                      </span>
                    ) : null}
                  </span>
                </Td>
                <Td num className="max-sm:hidden">
                  {f.shareOf(row.noExpiry, row.keys)}
                </Td>
                <Td num className="max-lg:hidden">
                  <Value value={row.p50TtlSeconds} as="seconds" />
                </Td>
                <Td num className="text-muted-foreground max-xl:hidden">
                  {row.minTtlSeconds === null
                    ? '—'
                    : `${f.seconds(row.minTtlSeconds)} – ${f.seconds(row.maxTtlSeconds)}`}
                </Td>
              </Tr>
            );
          })}
        </TBody>
      </Table>
    </TableScroll>
  );
}
