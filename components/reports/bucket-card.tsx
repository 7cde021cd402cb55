import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { TooltipRow } from '@/components/charts/chart-tooltip';
import { Histogram } from '@/components/charts/histogram';
import { useFormat } from '@/components/data/format/use-format';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Segmented } from '@/components/ui/forms/segmented';
import { Link } from '@/components/ui/link';
import { useGo } from '@/components/ui/underway/use-go';
import { useChartPicture } from './chart-picture';
import { dropZeroDecimals } from './drop-zero-decimals';

export interface BucketBar {
  id: string;
  /** Label below the bar. */
  axis: string;
  /** Label in the tooltip and in the table. */
  label: string;
  /** Address of the list of the bucket's keys. */
  href: string;
  keys: number;
  /** null: unknown. */
  bytes: number | null;
}

/** Keys or memory by bucket, as bars or as a table; a click on a bar lists its keys. */
export function BucketCard(props: {
  title: string;
  /** Shown in place of the title. */
  heading?: ReactNode;
  hint: string;
  /** Header of the column of buckets. */
  head: string;
  height: number;
  buckets: readonly BucketBar[];
  by: 'keys' | 'bytes';
  /** undefined: the page has one switch for several cards. */
  onBy?: (by: 'keys' | 'bytes') => void;
  /** Name of the colour token of the bars. */
  color?: string;
  /** Content below the bars. */
  children?: ReactNode;
}) {
  const t = useTranslations('filters.report');
  const f = useFormat();
  const go = useGo();
  const [asTable, setAsTable] = useState(false);
  const { title, buckets, by } = props;
  const picture = useChartPicture({ title });
  const format = by === 'keys' ? f.compact : f.bytes;
  const open = (index: number) => {
    const bucket = buckets[index];
    if (bucket) go(bucket.href);
  };
  return (
    <Card>
      <CardHeader
        title={props.heading ?? title}
        description={props.hint}
        actions={
          <>
            {props.onBy ? (
              <Segmented
                size="sm"
                label={t('by')}
                value={by}
                onValueChange={props.onBy}
                options={[
                  { value: 'keys', label: t('keys') },
                  { value: 'bytes', label: t('bytes') },
                ]}
              />
            ) : null}
            <Button size="xs" variant="ghost" onClick={() => setAsTable(!asTable)} aria-pressed={asTable}>
              {t(asTable ? 'hideTable' : 'showTable')}
            </Button>
            {asTable ? null : picture.menu}
          </>
        }
      />
      {asTable ? (
        <BucketTable label={title} head={props.head} rows={buckets} />
      ) : (
        <CardBody className="pb-2">
          <div ref={picture.place}>
            <Histogram
              label={`${title}. ${t('showTable')}`}
              height={props.height}
              unit={by === 'keys' ? 'count' : 'bytes'}
              formatAxis={(value) => dropZeroDecimals(format(value))}
              bars={buckets.map((bucket) => ({
                id: bucket.id,
                label: bucket.axis,
                value: bucket[by] ?? 0,
                color: props.color,
              }))}
              onOpen={open}
              tooltip={(index) => <BucketTooltip bucket={buckets[index]} />}
            />
          </div>
        </CardBody>
      )}
      {props.children}
    </Card>
  );
}

function BucketTooltip({ bucket }: { bucket: BucketBar | undefined }) {
  const t = useTranslations('filters.report');
  const f = useFormat();
  if (!bucket) return null;
  return (
    <>
      <p className="mb-1 font-medium">{bucket.label}</p>
      <TooltipRow label={t('keys')} value={f.number(bucket.keys)} />
      <TooltipRow label={t('bytes')} value={f.bytes(bucket.bytes)} />
    </>
  );
}

function BucketTable(props: { label: string; head: string; rows: readonly BucketBar[] }) {
  const t = useTranslations('filters.report');
  // The first column cannot be sorted: the rows are in the order of the buckets until a column of figures is clicked,
  // and again after the third click on it.
  const columns: DataColumn<BucketBar>[] = [
    {
      id: 'bucket',
      header: props.head,
      className: 'num',
      cell: (row) => (
        <Link href={row.href} className="hover:text-accent hover:underline">
          {row.label}
        </Link>
      ),
    },
    createFigureColumn('keys', t('keys'), 'number', (row) => row.keys),
    createFigureColumn('bytes', t('bytes'), 'bytes', (row) => row.bytes),
  ];
  return <DataTable label={props.label} columns={columns} rows={props.rows} rowId={(row) => row.id} />;
}
