'use client';
import { Check } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { Capability } from '@/lib/model/server-facts';

const TONES: Record<Capability['status'], BadgeTone> = {
  allowed: 'success',
  denied: 'danger',
  unknown_command: 'warning',
  untested: 'neutral',
};
const RANK: Record<Capability['status'], number> = { denied: 0, unknown_command: 1, untested: 2, allowed: 3 };

/** What this user may not send and what is missing without it as a table; what is allowed as a quiet list. */
export function CapabilityTable({ capabilities }: { capabilities: Capability[] }) {
  const t = useTranslations('capabilities');
  const ti = useTranslations('instances.report');
  const allowed = capabilities.filter((c) => c.status === 'allowed');
  const rows = capabilities.filter((c) => c.status !== 'allowed').toSorted((a, b) => RANK[a.status] - RANK[b.status]);
  return (
    <section aria-label={ti('capabilities')} className="space-y-3">
      <p className="font-medium">
        {rows.length === 0
          ? t('allAllowed', { count: capabilities.length })
          : t('someMissing', { count: capabilities.length, missing: rows.length })}
      </p>
      {rows.length > 0 ? (
        <TableScroll label={t('tableLabel')} className="rounded-lg border">
          <Table>
            <THead>
              <tr>
                <Th>{t('column.command')}</Th>
                <Th>{t('column.status')}</Th>
                <Th>{t('column.lost')}</Th>
              </tr>
            </THead>
            <TBody>
              {rows.map((c) => (
                <Tr key={c.command}>
                  <Td className="whitespace-nowrap font-mono text-xs">{c.command}</Td>
                  <Td className="whitespace-nowrap">
                    <Badge tone={TONES[c.status]}>{t(`status.${c.status}`)}</Badge>
                  </Td>
                  <Td className="text-muted-foreground">
                    {t(`lost.${c.lost}`)}
                    {c.required ? <span className="ml-1.5 text-warning text-xs">({t('required')})</span> : null}
                  </Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        </TableScroll>
      ) : null}
      <ul className="flex flex-wrap gap-1.5">
        {allowed.map((c) => (
          <li
            key={c.command}
            className="inline-flex items-center gap-1 rounded border px-1.5 py-0.5 font-mono text-2xs text-muted-foreground"
          >
            <Check className="size-3 text-success" aria-hidden />
            {c.command}
            <span className="sr-only"> {t('status.allowed')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
