'use client';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { Capability } from '@/lib/model/server-facts';

const TONES: Record<Capability['status'], BadgeTone> = {
  allowed: 'success',
  denied: 'danger',
  unknown_command: 'warning',
  untested: 'neutral',
};

/** Which commands this user may send, and what is missing from the reports without them. Missing ones first. */
export function CapabilityTable({ capabilities, open = false }: { capabilities: Capability[]; open?: boolean }) {
  const t = useTranslations('capabilities');
  const ti = useTranslations('instances.report');
  const [all, setAll] = useState(open);
  const missing = capabilities.filter((c) => c.status === 'denied' || c.status === 'unknown_command');
  const rows = (all ? capabilities : missing).toSorted((a, b) => rank(a) - rank(b));
  return (
    <section aria-label={ti('capabilities')} className="space-y-2">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <p className="font-medium">
          {missing.length === 0
            ? t('allAllowed', { count: capabilities.length })
            : t('someMissing', { count: capabilities.length, missing: missing.length })}
        </p>
        <Button variant="link" className="text-xs" aria-expanded={all} onClick={() => setAll(!all)}>
          {ti(all ? 'showMissing' : 'showAll')}
        </Button>
      </div>
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
    </section>
  );
}

function rank(c: Capability): number {
  return c.status === 'denied' ? 0 : c.status === 'unknown_command' ? 1 : c.status === 'untested' ? 2 : 3;
}
