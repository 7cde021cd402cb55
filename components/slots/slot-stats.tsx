import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Stat, StatGrid } from '@/components/ui/stat';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { SlotsReport } from '@/lib/model/reports/reports';

export function SlotStats({ report }: { report: SlotsReport }) {
  const t = useTranslations('slots');
  const f = useFormat();
  const { skew } = report;
  const formatOverMean = (value: number | null) =>
    value === null ? undefined : t('ofMean', { times: f.decimal(value, value < 10 ? 1 : 0) });
  const fullest = Math.max(0, ...report.slots.keys);
  const largest = skew.maxBytesOverMean === null ? null : Math.max(0, ...report.slots.bytes);
  return (
    <StatGrid>
      <Stat
        label={t('mean')}
        value={t('keysUnit', { n: skew.meanKeys, count: f.decimal(skew.meanKeys, skew.meanKeys < 100 ? 1 : 0) })}
        hint={f.bytes(toKnownBytes({ keys: skew.meanKeys, bytes: skew.meanBytes }))}
      />
      <Stat
        label={t('maxKeys')}
        value={t('keysUnit', { n: fullest, count: f.number(fullest) })}
        hint={formatOverMean(skew.maxKeysOverMean)}
      />
      <Stat label={t('maxBytes')} value={f.bytes(largest)} hint={formatOverMean(skew.maxBytesOverMean)} />
      <Stat label={t('emptySlots')} value={f.number(skew.emptySlots)} hint={t('ofAll')} />
    </StatGrid>
  );
}
