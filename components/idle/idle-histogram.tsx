import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { BucketCard } from '@/components/reports/bucket-card';
import { useReportHref } from '@/components/reports/use-report-href';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { IdleReport } from '@/lib/model/reports/reports';
import { buildBucketFilter, getLastNumber } from './bucket-filter';

type Bucket = IdleReport['buckets'][number];

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
  const freq = report.kind === 'freq';
  const write = freq ? f.number : f.seconds;
  const formatAxis = (bucket: Bucket) => {
    const { from, to } = bucket;
    return to === null ? `≥ ${write(from)}` : freq ? formatCounters(bucket) : `< ${write(to)}`;
  };
  const formatLabel = (bucket: Bucket) => {
    const { from, to } = bucket;
    if (to === null) return t('over', { from: write(from) });
    return freq ? formatCounters(bucket) : t('range', { from: write(from), to: write(to) });
  };
  return (
    <BucketCard
      title={t(freq ? 'histogramFreq' : 'histogram')}
      hint={t(freq ? 'histogramHintFreq' : 'histogramHint')}
      head={t(freq ? 'bucketFreq' : 'bucket')}
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
