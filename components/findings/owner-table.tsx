import { useTranslations } from 'use-intl';
import { LazySnapshotDelta } from '@/components/data/deltas/lazy-snapshot-delta';
import { useFormat } from '@/components/data/format/use-format';
import { NotInFile, Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { Card, CardHeader } from '@/components/ui/card';
import { toVisibleText } from '@/components/ui/visible-text';
import type { FindingsReport, OwnerFindings } from '@/lib/model/rules/findings';

/** The owners of the keys, if any keys have one. A click limits the page to that team. */
export function OwnerTable(props: {
  report: FindingsReport;
  /** null: the figures are of a part of the keys, so they are not compared with the scan before. */
  snapshotId: string | null;
  onChoose: (owner: string) => void;
}) {
  const { snapshotId } = props;
  const { owners } = props.report;
  const t = useTranslations('findings');
  const f = useFormat();
  const computeKeyShare = (of: 'mandatory' | 'recommended', row: OwnerFindings) =>
    row.keys === 0 ? null : row[of].keys / row.keys;
  const delta = ({ team }: OwnerFindings, measure: 'score' | 'keys') =>
    snapshotId === null ? null : (
      <NotInFile>
        <LazySnapshotDelta
          snapshotId={snapshotId}
          of={{ measure, team: team ?? '' }}
          as={measure === 'score' ? 'decimal' : 'compact'}
        />
      </NotInFile>
    );
  const columns: DataColumn<OwnerFindings>[] = [
    {
      id: 'team',
      header: t('column.team'),
      // Keys without an owner come last.
      value: (row) => row.team,
      className: 'max-w-56',
      cell: (row) => (
        <button
          type="button"
          className="rounded text-left font-medium [overflow-wrap:anywhere] hover:text-accent hover:underline"
          onClick={() => props.onChoose(row.team ?? '-')}
        >
          {row.team === null ? t('scope.nobody') : toVisibleText(row.team)}
        </button>
      ),
    },
    {
      id: 'score',
      header: t('column.score'),
      num: true,
      value: (row) => row.score,
      cell: (row) => (
        <>
          {f.decimal(row.score, 1)} {delta(row, 'score')}
        </>
      ),
    },
    {
      id: 'keys',
      header: t('column.keys'),
      num: true,
      value: (row) => row.keys,
      cell: (row) => (
        <>
          <Value value={row.keys} as="compact" /> {delta(row, 'keys')}
        </>
      ),
    },
    createFigureColumn('bytes', t('column.bytes'), 'bytes', (row) => row.bytes, { hide: 'max-sm:hidden' }),
    {
      id: 'mandatory',
      header: t('headline.mandatory'),
      num: true,
      value: (row) => computeKeyShare('mandatory', row),
      cell: (row) => f.shareOf(row.mandatory.keys, row.keys),
    },
    {
      id: 'recommended',
      header: t('headline.recommended'),
      num: true,
      hide: 'max-md:hidden',
      value: (row) => computeKeyShare('recommended', row),
      cell: (row) => f.shareOf(row.recommended.keys, row.keys),
    },
  ];
  if (!owners.some((owner) => owner.team !== null)) return null;
  return (
    <Card>
      <CardHeader title={t('ownersTitle')} description={t('ownersIntro')} />
      <DataTable label={t('ownersTitle')} columns={columns} rows={owners} rowId={(row) => row.team ?? ''} />
    </Card>
  );
}
