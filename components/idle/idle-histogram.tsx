import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { BucketCard } from '@/components/reports/bucket-card';
import { useReportHref } from '@/components/reports/use-report-href';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { IdleReport } from '@/lib/model/reports/reports';
import { buildBucketFilter, getLastNumber } from './bucket-filter';

type Bucket = IdleReport['buckets'][number];

/** The access counters of a bucket: `3`, or `4–7`. */
const formatCounters = (bucket: Bucket) => {
  const last = getLastNumber(bucket);
  return last === bucket.from ? String(last) : `${bucket.from}–${last}`;
};

/** Idle times in seconds, or LFU counters 0–255 if the server's eviction policy counts those instead. */
export function IdleHistogram(props: {
  instanceId: string;
  report: IdleReport;
  by: 'keys' | 'bytes';
  onBy: (by: 'keys' | 'bytes') => void;
}) {
  const t = useTranslations('idle');
  const f = useFormat();
  const href = useReportHref(props.instanceId);
  const { report } = props;
  const { sharedIntegers: shared = 0 } = report;
  const isFreq = report.kind === 'freq';
  const format = isFreq ? f.number : f.seconds;
  const formatAxis = (bucket: Bucket) => {
    const { from, to } = bucket;
    return to === null ? `≥ ${format(from)}` : isFreq ? formatCounters(bucket) : `< ${format(to)}`;
  };
  const formatLabel = (bucket: Bucket) => {
    const { from, to } = bucket;
    if (to === null) return t('over', { from: format(from) });
    return isFreq ? formatCounters(bucket) : t('range', { from: format(from), to: format(to) });
  };
  return (
    <BucketCard
      title={t(isFreq ? 'histogramFreq' : 'histogram')}
      hint={t(isFreq ? 'histogramHintFreq' : 'histogramHint')}
      head={t(isFreq ? 'bucketFreq' : 'bucket')}
      height={320}
      by={props.by}
      onBy={props.onBy}
      buckets={report.buckets.map((bucket) => ({
        id: String(bucket.from),
        axis: formatAxis(bucket),
        label: formatLabel(bucket),
        href: href('keys', buildBucketFilter(report.kind, bucket)),
        keys: bucket.keys,
        bytes: toKnownBytes(bucket),
      }))}
    >
      {report.unknown.keys > shared ? <Note text={t('unknown', { count: report.unknown.keys - shared })} /> : null}
      {shared > 0 ? <Note text={t('sharedIntegers', { count: shared })} /> : null}
    </BucketCard>
  );
}

function Note({ text }: { text: string }) {
  return <p className="num whitespace-normal border-t px-4 py-2 text-muted-foreground text-xs">{text}</p>;
}
