'use client';
import { useQueryStates } from 'nuqs';
import { useTranslations } from 'use-intl';
import { getTypeToken } from '@/components/charts/scales/type-colors';
import { EachCard } from '@/components/data/card-boundary';
import { useFormat } from '@/components/data/format/use-format';
import { type BucketBar, BucketCard } from '@/components/reports/bucket-card';
import { dropZeroDecimals } from '@/components/reports/drop-zero-decimals';
import { ReportPage } from '@/components/reports/report-page';
import { SIZES_PARAMS } from '@/components/reports/report-params';
import { useReportHref } from '@/components/reports/use-report-href';
import { TypeBadge } from '@/components/ui/type-badge';
import type { SizeCounts, SizesReport } from '@/lib/model/reports/reports';

export function SizesPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('sizes');
  return (
    <ReportPage
      instanceId={instanceId}
      name="sizes"
      title={t('title')}
      intro={t('intro')}
      isEmpty={(report) => report.keys === 0}
    >
      {({ report }) => <Sizes instanceId={instanceId} report={report} />}
    </ReportPage>
  );
}

function Sizes({ instanceId, report }: { instanceId: string; report: SizesReport }) {
  const t = useTranslations('sizes');
  const filters = useTranslations('filters');
  const f = useFormat();
  const [{ by }, set] = useQueryStates(SIZES_PARAMS);
  // A type without a known size has nothing to draw; its keys are counted below the first card.
  const sized = report.byType.filter((row) => row.keys > row.bytesUnknown);
  const buildBuckets = useSizeBuckets(instanceId, report.bounds);
  return (
    <div className="grid grid-cols-1 gap-3 md:grid-cols-2 xl:grid-cols-3">
      <EachCard>
        <div className="md:col-span-2 xl:col-span-3">
          <BucketCard
            title={t('all')}
            hint={t('allHint')}
            head={t('bucket')}
            height={280}
            by={by}
            onBy={(next) => void set({ by: next })}
            buckets={buildBuckets(report.all)}
          >
            {report.bytesUnknown > 0 ? (
              <p className="num whitespace-normal border-t px-4 py-2 text-muted-foreground text-xs">
                {filters('report.unknownSize', { count: report.bytesUnknown })}
              </p>
            ) : null}
          </BucketCard>
        </div>
        {sized.map((row) => (
          <BucketCard
            key={row.type}
            title={t('ofType', { type: row.type ?? filters('type.unknown') })}
            heading={<TypeBadge type={row.type} className="text-sm" />}
            hint={t('typeHint', {
              count: row.keys,
              bytes: f.bytes(row.bytes),
            })}
            head={t('bucket')}
            height={150}
            by={by}
            color={getTypeToken(row.type)}
            buckets={buildBuckets(row.counts, row.type)}
          />
        ))}
      </EachCard>
    </div>
  );
}

/**
 * Returns a function that builds bars of size classes. A bar lists its keys: of one type (null: keys without a known
 * type), or of all types (undefined). `bounds`: the lower bounds of the classes in bytes.
 */
function useSizeBuckets(
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
        axis: dropZeroDecimals(f.bytes(from)),
        label: to === null ? t('over', { from: f.bytes(from) }) : t('range', { from: f.bytes(from), to: f.bytes(to) }),
        href: href('keys', { ...ofType, bytesMin: from, bytesMax: to === null ? undefined : to - 1 }),
        keys: counts.keys[i] ?? 0,
        bytes: counts.bytes[i] ?? 0,
      };
    });
}
