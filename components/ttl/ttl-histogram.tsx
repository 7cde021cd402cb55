import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { TooltipRow } from '@/components/charts/chart-tooltip';
import { Histogram } from '@/components/charts/histogram';
import { useFormat } from '@/components/data/format/use-format';
import { BucketTable } from '@/components/reports/bucket-table';
import { secondsText } from '@/components/reports/filter/parse-quantity';
import { useDraft } from '@/components/reports/filter/use-draft';
import { shortAxis } from '@/components/reports/short-axis';
import { useReportHref } from '@/components/reports/use-report-href';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Input } from '@/components/ui/forms/input';
import { Segmented } from '@/components/ui/forms/segmented';
import type { TtlBucket, TtlReport } from '@/lib/model/reports/reports';
import { parseBounds } from './parse-bounds';

export function TtlHistogram(props: {
  instanceId: string;
  report: TtlReport;
  by: 'keys' | 'bytes';
  onBy: (by: 'keys' | 'bytes') => void;
  bounds: number[];
  onBounds: (bounds: number[]) => void;
}) {
  const t = useTranslations('ttl');
  const r = useTranslations('filters.report');
  const f = useFormat();
  const router = useRouter();
  const href = useReportHref(props.instanceId);
  const [asTable, setAsTable] = useState(false);
  const { report, by } = props;
  const draft = useDraft(
    props.bounds.map(secondsText).join(', '),
    (text) => {
      const bounds = parseBounds(text);
      if (bounds) props.onBounds(bounds);
    },
    700,
  );
  const bad = parseBounds(draft.text) === null;
  const format = by === 'keys' ? f.compact : f.bytes;
  const range = (bucket: TtlBucket) =>
    bucket.toSeconds === null
      ? t('over', { from: f.seconds(bucket.fromSeconds) })
      : t('range', { from: f.seconds(bucket.fromSeconds), to: f.seconds(bucket.toSeconds) });
  const keysHref = (bucket: TtlBucket) =>
    href('keys', { expiry: 'any', ttlMin: bucket.fromSeconds, ttlMax: bucket.toSeconds ?? undefined });
  const bars = report.buckets.map((bucket) => ({
    id: String(bucket.fromSeconds),
    label: bucket.toSeconds === null ? `≥ ${f.seconds(bucket.fromSeconds)}` : `< ${f.seconds(bucket.toSeconds)}`,
    value: bucket[by],
  }));

  return (
    <Card>
      <CardHeader
        title={t('histogram')}
        description={t('histogramHint')}
        actions={
          <>
            <Segmented
              size="sm"
              label={r('by')}
              value={by}
              onValueChange={props.onBy}
              options={[
                { value: 'keys', label: r('keys') },
                { value: 'bytes', label: r('bytes') },
              ]}
            />
            <Button size="xs" variant="ghost" onClick={() => setAsTable(!asTable)} aria-pressed={asTable}>
              {r(asTable ? 'hideTable' : 'showTable')}
            </Button>
          </>
        }
      />
      {asTable ? (
        <BucketTable
          label={t('histogram')}
          head={t('bucket')}
          rows={report.buckets.map((bucket) => ({
            id: String(bucket.fromSeconds),
            label: range(bucket),
            href: keysHref(bucket),
            keys: bucket.keys,
            bytes: bucket.bytes,
          }))}
        />
      ) : (
        <CardBody className="pb-2">
          <Histogram
            bars={bars}
            label={`${t('histogram')}. ${r('showTable')}`}
            height={228}
            unit={by === 'keys' ? 'count' : 'bytes'}
            formatAxis={(v) => shortAxis(format(v))}
            onOpen={(i) => report.buckets[i] && router.push(keysHref(report.buckets[i]))}
            tooltip={(i) => {
              const bucket = report.buckets[i];
              return bucket ? (
                <>
                  <p className="mb-1 font-medium">{range(bucket)}</p>
                  <TooltipRow label={r('keys')} value={f.number(bucket.keys)} />
                  <TooltipRow label={r('bytes')} value={f.bytes(bucket.bytes)} />
                </>
              ) : null;
            }}
          />
        </CardBody>
      )}
      <div className="flex flex-wrap items-center gap-2 border-t px-4 py-2">
        <label htmlFor="ttl-bounds" className="text-muted-foreground text-xs">
          {t('bounds')}
        </label>
        <Input
          id="ttl-bounds"
          className="h-7 w-52 text-xs"
          placeholder={t('boundsHint')}
          value={draft.text}
          aria-invalid={bad || undefined}
          aria-describedby="ttl-bounds-note"
          onChange={(e) => draft.change(e.target.value)}
          onBlur={draft.flush}
        />
        <span id="ttl-bounds-note" className={bad ? 'text-danger text-xs' : 'sr-only'}>
          {t(bad ? 'boundsBad' : 'boundsHelp')}
        </span>
      </div>
    </Card>
  );
}
