'use client';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { Value } from '@/components/data/format/value';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';

/** The numbers of a histogram as a table. */
export function BucketTable(props: {
  label: string;
  head: string;
  rows: { id: string; label: string; href: string; keys: number; bytes: number }[];
}) {
  const t = useTranslations('filters.report');
  return (
    <TableScroll label={props.label} className="max-h-72 overflow-y-auto">
      <Table>
        <THead className="sticky top-0 bg-surface">
          <tr>
            <Th>{props.head}</Th>
            <Th right>{t('keys')}</Th>
            <Th right>{t('bytes')}</Th>
          </tr>
        </THead>
        <TBody>
          {props.rows.map((row) => (
            <Tr key={row.id}>
              <Td className="num">
                <Link href={row.href} prefetch={false} className="hover:text-accent hover:underline">
                  {row.label}
                </Link>
              </Td>
              <Td num>
                <Value value={row.keys} as="number" />
              </Td>
              <Td num>
                <Value value={row.bytes} as="bytes" />
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
    </TableScroll>
  );
}
