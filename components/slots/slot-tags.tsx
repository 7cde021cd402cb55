import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { KeyName } from '@/components/ui/key-name';
import { Link } from '@/components/ui/link';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { SlotsReport } from '@/lib/model/reports/reports';

export function SlotTags({ instanceId, report }: { instanceId: string; report: SlotsReport }) {
  const t = useTranslations('slots');
  const f = useFormat();
  const href = useReportHref(instanceId);
  const { tags, tagCount } = report;
  const columns: DataColumn<SlotsReport['tags'][number]>[] = [
    {
      id: 'tag',
      header: t('column.tag'),
      value: (row) => row.tag,
      className: 'w-full min-w-28 max-w-0',
      cell: (row) => (
        <Link href={href('keys', { tag: row.tag })} className="hover:text-accent hover:underline">
          <KeyName name={`{${row.tag}}`} max={40} />
        </Link>
      ),
    },
    {
      id: 'slot',
      header: t('column.slot'),
      num: true,
      value: (row) => row.slot,
      hide: 'max-2xl:hidden',
      className: 'text-muted-foreground',
      cell: (row) => row.slot,
    },
    createFigureColumn('keys', t('column.keys'), 'number', (row) => row.keys),
    createFigureColumn('shareKeys', t('column.shareKeys'), 'share', (row) => row.shareKeys, {
      className: 'text-muted-foreground',
    }),
    createFigureColumn('bytes', t('column.bytes'), 'bytes', toKnownBytes),
    createFigureColumn('shareBytes', t('column.shareBytes'), 'share', (row) => row.shareBytes, {
      hide: 'max-sm:hidden',
      className: 'text-muted-foreground',
    }),
  ];
  return (
    <Card>
      <CardHeader
        title={t('tags')}
        description={
          tagCount > tags.length ? t('tagsMore', { count: f.number(tagCount), shown: tags.length }) : t('tagsHint')
        }
      />
      {tags.length === 0 ? (
        <EmptyState title={t('tagsNone')} />
      ) : (
        <DataTable label={t('tags')} first={10} columns={columns} rows={tags} rowId={(row) => row.tag} />
      )}
    </Card>
  );
}
