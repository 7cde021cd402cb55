import { useTranslations } from 'use-intl';
import { Histogram } from '@/components/charts/histogram';
import { useFormat } from '@/components/data/format/use-format';
import { ChartPicture } from '@/components/reports/chart-picture';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';

/** When the keys expire: now, and after the plan has been carried out. */
export function ExpiryCard({ expiries }: { expiries: NonNullable<DeletionPlan['expiries']> }) {
  const t = useTranslations('deletions.plan');
  const f = useFormat();
  const start = expiries[0]?.from ?? 0;
  // Both charts have one scale, so that they can be compared.
  const highest = Math.max(0, ...expiries.flatMap(({ before, after }) => [before, after]));
  const renderSide = (name: 'before' | 'after') => (
    <ChartPicture
      title={`${t('histogram')}: ${t(name)}`}
      controls={<h3 className="text-muted-foreground text-xs">{t(name)}</h3>}
    >
      <Histogram
        label={`${t('histogram')}: ${t(name)}`}
        unit="count"
        height={160}
        highest={highest}
        bars={expiries.map((bucket) => ({
          id: String(bucket.from),
          label: bucket.from === start ? '0' : `+${f.seconds(Math.round((bucket.from - start) / 60_000) * 60)}`,
          value: bucket[name],
        }))}
        formatAxis={(value) => f.compact(value)}
        tooltip={(index) => {
          const bucket = expiries[index];
          return bucket ? `${f.dateTime(bucket.from)}: ${f.number(bucket[name])}` : null;
        }}
      />
    </ChartPicture>
  );
  return (
    <Card>
      <CardHeader title={t('histogram')} />
      <CardBody className="grid gap-4 lg:grid-cols-2">
        {renderSide('before')}
        {renderSide('after')}
      </CardBody>
    </Card>
  );
}
