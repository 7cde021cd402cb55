import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import type { BucketBar } from '@/components/reports/bucket-card';
import { shortenAxis } from '@/components/reports/shorten-axis';
import { useReportHref } from '@/components/reports/use-report-href';
import type { SizeCounts } from '@/lib/model/reports/reports';

/**
 * Size classes as bars. Each bar lists its keys: of one type (null: keys without a known type), or of all types
 * (undefined).
 */
export function useSizeBuckets(
  instanceId: string,
  bounds: readonly number[],
): (counts: SizeCounts, type?: string | null) => BucketBar[] {
  const t = useTranslations('sizes');
  const f = useFormat();
  const href = useReportHref(instanceId);
  return (counts, type) =>
    bounds.map((from, i) => {
      const to = bounds[i + 1] ?? null;
      const ofType = type === undefined ? {} : { type: [type ?? 'unknown'] };
      return {
        id: String(from),
        axis: shortenAxis(f.bytes(from)),
        label: to === null ? t('over', { from: f.bytes(from) }) : t('range', { from: f.bytes(from), to: f.bytes(to) }),
        href: href('keys', { ...ofType, bytesMin: from, bytesMax: to === null ? undefined : to - 1 }),
        keys: counts.keys[i] ?? 0,
        bytes: counts.bytes[i] ?? 0,
      };
    });
}
