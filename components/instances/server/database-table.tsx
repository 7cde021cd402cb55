'use client';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { ConnectionReport } from '@/lib/model/server-facts';

export function DatabaseTable({ databases }: { databases: NonNullable<ConnectionReport['databases']> }) {
  const t = useTranslations('instances.report');
  const f = useFormat();
  return (
    <TableScroll label={t('databases')}>
      <Table>
        <THead>
          <tr>
            <Th>{t('db')}</Th>
            <Th right>{t('keys')}</Th>
            <Th right>{t('expires')}</Th>
            <Th right>{t('avgTtl')}</Th>
          </tr>
        </THead>
        <TBody>
          {databases.map((d) => (
            <Tr key={d.db}>
              <Td className="font-mono text-xs">db{d.db}</Td>
              <Td num>
                <Value value={d.keys} as="number" />
              </Td>
              <Td num>
                <Value value={d.expires} as="number" />
                {d.expires !== null && d.keys > 0 ? (
                  <span className="ml-2 text-muted-foreground text-xs">{f.shareOf(d.expires, d.keys)}</span>
                ) : null}
              </Td>
              <Td num>
                {/* The server says 0 where it has no average. */}
                <Value value={d.avgTtlMs === 0 ? null : d.avgTtlMs} as="ms" />
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
    </TableScroll>
  );
}
