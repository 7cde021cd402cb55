'use client';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { textOf } from '@/components/data/text-of';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { visibleText } from '@/components/ui/visible-text';
import type { AuditRow } from '@/lib/model/fleet';
import { AuditSubject } from './audit-subject';

const TONES: Record<AuditRow['outcome'], BadgeTone> = {
  intent: 'neutral',
  done: 'success',
  refused: 'warning',
  failed: 'danger',
};

export function AuditTable({ rows }: { rows: AuditRow[] }) {
  const t = useTranslations('audit');
  const f = useFormat();
  return (
    <TableScroll label={t('tableLabel')}>
      <Table>
        <THead>
          <tr>
            <Th right className="w-px max-sm:hidden">
              {t('column.seq')}
            </Th>
            <Th className="max-sm:pl-4">{t('column.at')}</Th>
            <Th className="max-sm:hidden">{t('column.actor')}</Th>
            <Th>{t('column.action')}</Th>
            <Th>{t('column.subject')}</Th>
            <Th>{t('column.outcome')}</Th>
            <Th className="max-md:hidden">{t('column.details')}</Th>
          </tr>
        </THead>
        <TBody>
          {rows.map((row) => (
            <Tr key={row.seq}>
              <Td num className="text-muted-foreground max-sm:hidden">
                {row.seq}
              </Td>
              <Td className="num max-sm:whitespace-normal max-sm:pl-4">
                <time dateTime={new Date(row.at).toISOString()} title={f.dateTimeExact(row.at)}>
                  {f.dateTime(row.at)}
                </time>
                <span className="block text-muted-foreground text-xs sm:hidden">{row.actor}</span>
              </Td>
              <Td className="whitespace-nowrap max-sm:hidden">{row.actor}</Td>
              <Td className="whitespace-nowrap" title={row.action}>
                {textOf(t, `actions.${row.action}`) ?? row.action}
              </Td>
              <Td className="max-w-56 truncate" title={visibleText(row.subject)}>
                <AuditSubject row={row} />
              </Td>
              <Td>
                <Badge tone={TONES[row.outcome]}>{t(`outcome.${row.outcome}`)}</Badge>
              </Td>
              <Td className="w-1/3 max-w-0 font-mono text-muted-foreground text-xs max-md:hidden" title={details(row)}>
                <bdi className="line-clamp-3 [overflow-wrap:anywhere]">{details(row)}</bdi>
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
    </TableScroll>
  );
}

function details(row: AuditRow): string {
  return Object.entries(row.details)
    .map(([name, value]) => `${name}=${visibleText(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join(' ');
}
