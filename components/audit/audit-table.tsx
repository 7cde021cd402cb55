import { useTranslations } from 'use-intl';
import { buildInstanceAddress } from '@/components/data/address/instance-address';
import { useFormat } from '@/components/data/format/use-format';
import { usePersonName } from '@/components/data/format/use-person-name';
import { useInstances } from '@/components/data/queries/use-instances';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { limitTableHeight } from '@/components/data-table/use-window';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Link } from '@/components/ui/link';
import { toVisibleText } from '@/components/ui/visible-text';
import type { AuditRow } from '@/lib/model/audit';
import { formatAction } from './action-text';
import { useDetailText } from './use-detail-text';

const TONES: Record<AuditRow['outcome'], BadgeTone> = {
  intent: 'neutral',
  done: 'success',
  refused: 'warning',
  failed: 'danger',
};

export function AuditTable({ rows }: { rows: AuditRow[] }) {
  const t = useTranslations('audit');
  const f = useFormat();
  const personName = usePersonName();
  const details = useDetailText();
  const formatOrigin = (row: AuditRow) =>
    [
      t(`role.${row.role as 'admin'}`),
      row.address,
      // Requests with an API token have the session `token <id>`; the person's name already contains the token's name.
      row.session && !row.session.startsWith('token ') ? t('session', { id: row.session.slice(-6) }) : null,
    ]
      .filter((part) => part)
      .join(' · ');
  const renderOutcome = (row: AuditRow) => <Badge tone={TONES[row.outcome]}>{t(`outcome.${row.outcome}`)}</Badge>;
  // The server sends one page at a time, newest first. Sorting only that page would be misleading.
  const columns: DataColumn<AuditRow>[] = [
    {
      id: 'seq',
      header: t('column.seq'),
      num: true,
      hide: 'max-sm:hidden',
      className: 'w-px text-muted-foreground',
      cell: (row) => row.seq,
    },
    {
      id: 'at',
      header: t('column.at'),
      headClassName: 'max-sm:pl-4',
      className: 'num whitespace-nowrap max-sm:pl-4',
      cell: (row) => (
        <>
          <time dateTime={new Date(row.at).toISOString()} title={f.dateTimeExact(row.at)}>
            <span className="block">{f.date(row.at)}</span>
            {f.time(row.at)}
          </time>
          <span className="block max-w-32 truncate text-muted-foreground text-xs sm:hidden">
            {personName(row.actor, row.actorId)}
          </span>
        </>
      ),
    },
    {
      id: 'actor',
      header: t('column.actor'),
      hide: 'max-sm:hidden',
      className: 'max-w-50 truncate whitespace-nowrap',
      getTitle: formatOrigin,
      cell: (row) => (
        <>
          <bdi>{personName(row.actor, row.actorId)}</bdi>
          <span className="block truncate text-muted-foreground text-xs">{formatOrigin(row)}</span>
        </>
      ),
    },
    {
      id: 'action',
      header: t('column.action'),
      className: 'max-sm:min-w-28 sm:whitespace-nowrap',
      getTitle: (row) => row.action,
      cell: (row) => (
        <>
          {formatAction(t, row.action)}
          <span className="block max-w-36 truncate text-xs sm:hidden">
            <AuditSubject row={row} />
          </span>
          <span className="sm:hidden">{renderOutcome(row)}</span>
        </>
      ),
    },
    {
      id: 'subject',
      header: t('column.subject'),
      hide: 'max-sm:hidden',
      className: 'max-w-40 truncate',
      getTitle: (row) => toVisibleText(row.subject),
      cell: (row) => <AuditSubject row={row} />,
    },
    {
      id: 'outcome',
      header: t('column.outcome'),
      getTitle: (row) => (row.intent ? t('began', { at: f.dateTimeExact(row.intent.at), seq: row.intent.seq }) : ''),
      hide: 'max-sm:hidden',
      cell: renderOutcome,
    },
    {
      id: 'details',
      header: t('column.details'),
      hide: 'max-md:hidden',
      className: 'w-1/2 max-w-0 text-muted-foreground text-xs',
      getTitle: details,
      cell: (row) => <bdi className="line-clamp-3 [overflow-wrap:anywhere]">{details(row)}</bdi>,
    },
  ];
  return (
    <DataTable
      label={t('tableLabel')}
      className={limitTableHeight(rows.length)}
      columns={columns}
      rows={rows}
      rowId={(row) => String(row.seq)}
    />
  );
}

/** Shows what the row is about, by name and as a link, because an id alone means nothing to a reader. */
export function AuditSubject({ row }: { row: AuditRow }) {
  const { data: instances } = useInstances();
  const name = instances?.find((instance) => instance.id === row.instanceId)?.name;
  const id = <bdi className="font-mono text-xs">{toVisibleText(row.subject)}</bdi>;
  // If the instance is deleted, only its id is left; its jobs were deleted with it.
  if (name === undefined) return id;
  const isAboutJob = row.action.startsWith('job.');
  const href = isAboutJob ? `/jobs/${encodeURIComponent(row.subject)}` : buildInstanceAddress(row.instanceId ?? '');
  return (
    <>
      <Link href={href} className="rounded font-medium hover:text-accent hover:underline">
        <bdi>{toVisibleText(name)}</bdi>
      </Link>
      {row.subject === row.instanceId ? null : (
        <span className="block truncate text-muted-foreground max-sm:hidden">{id}</span>
      )}
    </>
  );
}
