import { Check } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { NotInFile } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import type { Capability } from '@/lib/model/servers/server-facts';

const TONES: Record<Capability['status'], BadgeTone> = {
  allowed: 'success',
  denied: 'danger',
  unknown_command: 'warning',
  untested: 'neutral',
};
/** The order of rows: what is missing comes first. */
const RANK: Record<Capability['status'], number> = { denied: 0, unknown_command: 1, untested: 2, allowed: 3 };

/**
 * A table of the commands that this user may not send and what is missing without them; the allowed ones follow as a
 * plain list.
 */
export function CapabilityTable({ capabilities }: { capabilities: Capability[] }) {
  const t = useTranslations('capabilities');
  const report = useTranslations('instances.report');
  const allowed = capabilities.filter((c) => c.status === 'allowed');
  const rows = capabilities.filter((c) => c.status !== 'allowed').toSorted((a, b) => RANK[a.status] - RANK[b.status]);
  const renderBadge = (row: Capability) => <Badge tone={TONES[row.status]}>{t(`status.${row.status}`)}</Badge>;
  const columns: DataColumn<Capability>[] = [
    {
      id: 'command',
      header: t('column.command'),
      value: (row) => row.command,
      className: 'whitespace-nowrap font-mono text-xs',
      cell: (row) => (
        <>
          {row.command}
          {/* Phones hide the status column, so that the sentence has enough width, and show the badge here. */}
          <NotInFile>
            <span className="mt-1 block sm:hidden">{renderBadge(row)}</span>
          </NotInFile>
        </>
      ),
    },
    {
      id: 'status',
      header: t('column.status'),
      value: (row) => RANK[row.status],
      className: 'whitespace-nowrap',
      hide: 'max-sm:hidden',
      cell: renderBadge,
    },
    {
      id: 'lost',
      header: t('column.lost'),
      value: (row) => t(`lost.${row.lost}`),
      className: 'text-muted-foreground',
      cell: (row) => (
        <>
          {t(`lost.${row.lost}`)}
          {row.required ? <span className="ml-1.5 text-warning text-xs">({t('required')})</span> : null}
        </>
      ),
    },
  ];
  return (
    <section aria-label={report('capabilities')} className="space-y-3">
      <p className="font-medium">
        {rows.length === 0
          ? t('allAllowed', { count: capabilities.length })
          : t('someMissing', { count: capabilities.length, missing: rows.length })}
      </p>
      {rows.length > 0 ? (
        <DataTable
          id="server-capabilities"
          label={t('tableLabel')}
          className="rounded-lg border"
          columns={columns}
          rows={rows}
          rowId={(row) => row.command}
        />
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
