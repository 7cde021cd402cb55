'use client';
import { useQueryStates } from 'nuqs';
import { useTranslations } from 'use-intl';
import { getTypeToken } from '@/components/charts/scales/type-colors';
import { EachCard } from '@/components/data/card-boundary';
import { useFormat } from '@/components/data/format/use-format';
import { BucketCard } from '@/components/reports/bucket-card';
import { ReportPage } from '@/components/reports/report-page';
import { SIZES_PARAMS } from '@/components/reports/report-params';
import { TypeBadge } from '@/components/ui/type-badge';
import type { SizesReport } from '@/lib/model/reports/reports';
import { useSizeBuckets } from './use-size-buckets';

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
  const buckets = useSizeBuckets(instanceId, report.bounds);
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
            buckets={buckets(report.all)}
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
            buckets={buckets(row.counts, row.type)}
          />
        ))}
      </EachCard>
    </div>
  );
}
