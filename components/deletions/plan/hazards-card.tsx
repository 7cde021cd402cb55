import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Card, CardHeader } from '@/components/ui/card';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';

/** The hazards of the plan, shown first: how many keys, how much memory, and what it means. */
export function HazardsCard({ plan: { hazards, notices } }: { plan: DeletionPlan }) {
  const t = useTranslations('deletions');
  const f = useFormat();
  // How many of a sample of the small keys no longer exist is a notice of the plan, but is shown here as a hazard.
  const sampleParams = notices.find(({ code }) => code === 'sample')?.params;
  const [gone, sampled] = [Number(sampleParams?.gone ?? 0), Number(sampleParams?.sample ?? 0)];
  if (hazards.length === 0 && gone === 0) return null;
  return (
    <Card>
      <CardHeader title={t('plan.hazards')} />
      <ul className="divide-y">
        {hazards.map(({ hazard, keys, bytes }) => (
          <li key={hazard} className="grid gap-x-4 px-4 py-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <span className="num font-medium">
              {t('plan.hazardKeys', { count: keys })}
              {bytes === null ? null : <span className="font-normal text-muted-foreground"> · {f.bytes(bytes)}</span>}
            </span>
            <span>{t(`hazard.${hazard}`)}</span>
          </li>
        ))}
        {gone > 0 ? (
          <li className="grid gap-x-4 px-4 py-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <span className="num font-medium">{t('plan.goneShare', { share: f.shareOf(gone, sampled) })}</span>
            <span>{t('plan.gone', { gone, sample: sampled })}</span>
          </li>
        ) : null}
      </ul>
    </Card>
  );
}
