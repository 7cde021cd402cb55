import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import { Link } from '@/components/ui/link';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { SlotsReport } from '@/lib/model/reports/reports';

/**
 * The hash tag that contains more than half of the keys or of the memory of a slot, and so is the cause of its size; an
 * example key of another tag would mislead. null: there is none. `tags`: sorted, the largest first.
 */
export function findCause(
  { slot, keys, bytes }: Pick<SlotsReport['heaviest'][number], 'slot' | 'keys' | 'bytes'>,
  tags: readonly Pick<SlotsReport['tags'][number], 'tag' | 'slot' | 'keys' | 'bytes'>[],
): string | null {
  const cause = tags.find((tag) => tag.slot === slot && (2 * tag.keys > keys || 2 * tag.bytes > bytes));
  return cause?.tag ?? null;
}

export function SlotHeaviest({ instanceId, report }: { instanceId: string; report: SlotsReport }) {
  const t = useTranslations('slots');
  const f = useFormat();
  const href = useReportHref(instanceId);
  const { meanBytes, meanKeys } = report.skew;
  // The slots are the largest by memory, so memory is compared with the mean; keys are only if no size is known.
  const computeTimes = (row: { keys: number; bytes: number }) =>
    meanBytes > 0 ? row.bytes / meanBytes : meanKeys > 0 ? row.keys / meanKeys : null;
  const formatTimes = (value: number | null) =>
    value === null ? '—' : t('timesValue', { value: f.decimal(value, value < 10 ? 1 : 0) });
  const columns: DataColumn<SlotsReport['heaviest'][number]>[] = [
    {
      id: 'slot',
      header: t('column.slot'),
      num: true,
      value: (row) => row.slot,
      cell: (row) => (
        <Link
          href={href('keys', { slotMin: row.slot, slotMax: row.slot })}
          className="text-accent hover:underline"
          title={report.nodes.find((n) => n.node === row.node)?.address}
        >
          {row.slot}
        </Link>
      ),
    },
    createFigureColumn('keys', t('column.keys'), 'number', (row) => row.keys),
    createFigureColumn('bytes', t('column.bytes'), 'bytes', toKnownBytes),
    {
      id: 'times',
      header: t('column.times'),
      num: true,
      value: computeTimes,
      cell: (row) => formatTimes(computeTimes(row)),
    },
    {
      id: 'example',
      header: t('column.example'),
      hide: 'max-sm:hidden',
      className: 'w-full max-w-0',
      cell: (row) => {
        const tag = findCause(row, report.tags);
        return tag === null ? (
          <KeyName name={row.example} max={60} className="text-muted-foreground" />
        ) : (
          <Link href={href('keys', { tag })} className="hover:text-accent hover:underline">
            <KeyName name={`{${tag}}`} max={60} />
          </Link>
        );
      },
    },
  ];
  return (
    <Card>
      <CardHeader title={t('heaviest')} description={t('heaviestHint')} />
      <DataTable
        label={t('heaviest')}
        first={10}
        columns={columns}
        rows={report.heaviest}
        rowId={(row) => String(row.slot)}
      />
    </Card>
  );
}
