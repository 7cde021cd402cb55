import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { BucketCard } from '@/components/reports/bucket-card';
import { useReportHref } from '@/components/reports/use-report-href';
import { knownBytes } from '@/lib/model/keys/known-bytes';
import type { TtlBucket, TtlReport } from '@/lib/model/reports/reports';
import { leftWithin } from './left-within';
import { TtlBounds } from './ttl-bounds';

export function TtlHistogram(props: {
  instanceId: string;
  report: TtlReport;
  by: 'keys' | 'bytes';
  onBy: (by: 'keys' | 'bytes') => void;
  bounds: number[];
  onBounds: (bounds: number[]) => void;
}) {
  const t = useTranslations('ttl');
  const { seconds } = useFormat();
  const href = useReportHref(props.instanceId);
  const labelOf = ({ fromSeconds: from, toSeconds: to }: TtlBucket) =>
    to === null ? t('over', { from: seconds(from) }) : t('range', { from: seconds(from), to: seconds(to) });
  return (
    <BucketCard
      title={t('histogram')}
      hint={t('histogramHint')}
      head={t('bucket')}
      height={228}
      by={props.by}
      onBy={props.onBy}
      buckets={props.report.buckets.map((bucket) => ({
        id: String(bucket.fromSeconds),
        axis: bucket.toSeconds === null ? `≥ ${seconds(bucket.fromSeconds)}` : `< ${seconds(bucket.toSeconds)}`,
        label: labelOf(bucket),
        href: href('keys', leftWithin(bucket.fromSeconds, bucket.toSeconds)),
        keys: bucket.keys,
        bytes: knownBytes(bucket),
      }))}
    >
      <TtlBounds bounds={props.bounds} onBounds={props.onBounds} />
    </BucketCard>
  );
}
