import { useTranslations } from 'use-intl';
import { buildInstanceAddress } from '@/components/data/address/instance-address';
import { useErrorText } from '@/components/data/use-error-text';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { Link } from '@/components/ui/link';
import { toVisibleText } from '@/components/ui/visible-text';
import type { ImportRow } from './use-import';

/** The rows of a list, and what became of each. */
export function ImportTable({ rows }: { rows: ImportRow[] }) {
  const t = useTranslations('instances.import');
  const topology = useTranslations('instances.topology');
  const columns: DataColumn<ImportRow>[] = [
    {
      id: 'name',
      header: t('column.name'),
      className: 'min-w-28 font-medium [overflow-wrap:anywhere]',
      cell: ({ listed }) => <bdi>{toVisibleText(listed.name) || '—'}</bdi>,
    },
    {
      id: 'address',
      header: t('column.address'),
      hide: 'max-sm:hidden',
      className: 'num min-w-36 [overflow-wrap:anywhere]',
      cell: ({ listed }) => listed.address?.replaceAll(',', ', ') ?? '—',
    },
    {
      id: 'topology',
      header: t('column.topology'),
      hide: 'max-sm:hidden',
      cell: ({ listed }) => (listed.topology === null ? '—' : topology(listed.topology)),
    },
    {
      id: 'outcome',
      header: t('column.outcome'),
      className: 'min-w-40 [overflow-wrap:anywhere]',
      cell: (row) => <Outcome row={row} />,
    },
  ];
  return (
    <DataTable
      id="import"
      label={t('title')}
      columns={columns}
      rows={rows}
      rowId={({ row }) => String(row)}
      className="max-h-[50dvh]"
    />
  );
}

function Outcome({ row: { listed, state } }: { row: ImportRow }) {
  const t = useTranslations('instances.import');
  const errorText = useErrorText();
  if (state === null) return <span className="text-danger">{listed.problem}</span>;
  if (state.is === 'failed') {
    const { title, hint } = errorText(state.error);
    return (
      <span className="text-danger">
        {title} <span className="block text-muted-foreground text-xs">{hint}</span>
      </span>
    );
  }
  if (state.is === 'registered')
    return (
      <Link href={buildInstanceAddress(state.instance.id)} className="text-success underline underline-offset-2">
        {t('state.registered')}
      </Link>
    );
  if (state.is === 'reached')
    return (
      <span className="text-success">
        {t('state.reached', {
          nodes: state.report.nodes.length,
          warnings: state.report.warnings.length,
        })}
      </span>
    );
  return <span className="text-muted-foreground">{t(`state.${state.is}`)}</span>;
}
