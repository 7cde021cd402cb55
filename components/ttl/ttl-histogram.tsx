import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { BucketCard } from '@/components/reports/bucket-card';
import { formatSecondsInput, parseSeconds } from '@/components/reports/filter/parse-quantity';
import { useDraft } from '@/components/reports/filter/use-draft';
import { useReportHref } from '@/components/reports/use-report-href';
import { Input } from '@/components/ui/forms/input';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { TtlBucket, TtlReport } from '@/lib/model/reports/reports';
import { buildTtlFilter } from './ttl-filter';

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
  const formatLabel = ({ fromSeconds: from, toSeconds: to }: TtlBucket) =>
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
        label: formatLabel(bucket),
        href: href('keys', buildTtlFilter(bucket.fromSeconds, bucket.toSeconds)),
        keys: bucket.keys,
        bytes: toKnownBytes(bucket),
      }))}
    >
      <TtlBounds bounds={props.bounds} onBounds={props.onBounds} />
    </BucketCard>
  );
}

/** The bounds of the histogram's buckets; a change is requested a moment after typing has stopped. */
function TtlBounds(props: { bounds: number[]; onBounds: (bounds: number[]) => void }) {
  const t = useTranslations('ttl');
  const draft = useDraft(
    props.bounds.map(formatSecondsInput).join(', '),
    (text) => {
      const bounds = parseBounds(text);
      if (bounds) props.onBounds(bounds);
    },
    700,
  );
  const isInvalid = parseBounds(draft.text) === null;
  return (
    <div className="flex flex-wrap items-center gap-2 border-t px-4 py-2">
      <label htmlFor="ttl-bounds" className="text-muted-foreground text-xs">
        {t('bounds')}
      </label>
      <Input
        id="ttl-bounds"
        className="h-7 w-52 text-xs"
        placeholder={t('boundsHint')}
        value={draft.text}
        aria-invalid={isInvalid || undefined}
        aria-describedby="ttl-bounds-note"
        onChange={(event) => draft.change(event.target.value)}
        onBlur={draft.flush}
      />
      <span id="ttl-bounds-note" className={isInvalid ? 'text-danger text-xs' : 'sr-only'}>
        {t(isInvalid ? 'boundsBad' : 'boundsHelp')}
      </span>
    </div>
  );
}

/** The largest number of bounds that the server takes. */
const MAX_BOUNDS = 60;

/** `1h, 1d, 7d` → seconds. null: not understood, not ascending or too many; []: the field is empty. */
export function parseBounds(text: string): number[] | null {
  const parts = text.split(/[,，]/).filter((part) => part.trim() !== '');
  const bounds = parts.map(parseSeconds);
  if (bounds.length > MAX_BOUNDS) return null;
  let last = 0;
  for (const bound of bounds) {
    if (bound === null || bound === undefined || bound <= last) return null;
    last = bound;
  }
  return bounds as number[];
}
