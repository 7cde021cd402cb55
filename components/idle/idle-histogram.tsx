import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { TooltipRow } from '@/components/charts/chart-tooltip';
import { Histogram } from '@/components/charts/histogram';
import { useFormat } from '@/components/data/format/use-format';
import { BucketTable } from '@/components/reports/bucket-table';
import { shortAxis } from '@/components/reports/short-axis';
import { useReportHref } from '@/components/reports/use-report-href';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Segmented } from '@/components/ui/forms/segmented';
import type { IdleReport } from '@/lib/model/reports/reports';

type Bucket = IdleReport['buckets'][number];

/** Idle times in seconds, or LFU counters 0–255 where the server's policy counts those instead. */
export function IdleHistogram(props: {
  instanceId: string;
  report: IdleReport;
  by: 'keys' | 'bytes';
  onBy: (by: 'keys' | 'bytes') => void;
}) {
  const t = useTranslations('idle');
  const r = useTranslations('filters.report');
  const f = useFormat();
  const router = useRouter();
  const href = useReportHref(props.instanceId);
  const [asTable, setAsTable] = useState(false);
  const { report, by } = props;
  const { sharedIntegers: shared = 0 } = report;
  const freq = report.kind === 'freq';
  const write = freq ? f.number : f.seconds;
  const range = (b: Bucket) =>
    b.to === null ? t('over', { from: write(b.from) }) : t('range', { from: write(b.from), to: write(b.to) });
  const keysHref = (b: Bucket) =>
    href(
      'keys',
      freq ? { freqMin: b.from, freqMax: b.to ?? undefined } : { idleMin: b.from, idleMax: b.to ?? undefined },
    );
  return (
    <Card>
      <CardHeader
        title={t(freq ? 'histogramFreq' : 'histogram')}
        description={t(freq ? 'histogramHintFreq' : 'histogramHint')}
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
          head={t(freq ? 'bucketFreq' : 'bucket')}
          rows={report.buckets.map((b) => ({
            id: String(b.from),
            label: range(b),
            href: keysHref(b),
            keys: b.keys,
            bytes: b.bytes,
          }))}
        />
      ) : (
        <CardBody className="pb-2">
          <Histogram
            label={`${t(freq ? 'histogramFreq' : 'histogram')}. ${r('showTable')}`}
            height={320}
            unit={by === 'keys' ? 'count' : 'bytes'}
            formatAxis={(v) => shortAxis(by === 'keys' ? f.compact(v) : f.bytes(v))}
            bars={report.buckets.map((b) => ({
              id: String(b.from),
              label: b.to === null ? `≥ ${write(b.from)}` : freq ? `${b.from}–${b.to}` : `< ${write(b.to)}`,
              value: b[by],
            }))}
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
      {report.unknown.keys > shared ? (
        <p className="num whitespace-normal border-t px-4 py-2 text-muted-foreground text-xs">
          {t('unknown', { count: report.unknown.keys - shared })}
        </p>
      ) : null}
      {shared > 0 ? (
        <p className="num whitespace-normal border-t px-4 py-2 text-muted-foreground text-xs">
          {t('sharedIntegers', { count: shared })}
        </p>
      ) : null}
    </Card>
  );
}
