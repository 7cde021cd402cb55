import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Stat, StatGrid } from '@/components/ui/stat';
import { knownBytes } from '@/lib/model/keys/known-bytes';
import type { SlotsReport } from '@/lib/model/reports/reports';

export function SlotStats({ report }: { report: SlotsReport }) {
  const t = useTranslations('slots');
  const f = useFormat();
  const { skew } = report;
  const times = (value: number | null) =>
    value === null ? '—' : t('timesValue', { value: f.decimal(value, value < 10 ? 1 : 0) });
  return (
    <StatGrid>
      <Stat
        label={t('mean')}
        value={t('keysUnit', { count: f.decimal(skew.meanKeys, skew.meanKeys < 100 ? 1 : 0) })}
        hint={f.bytes(knownBytes({ keys: skew.meanKeys, bytes: skew.meanBytes }))}
      />
      <Stat label={t('maxKeys')} value={times(skew.maxKeysOverMean)} hint={t('ofMean')} />
      <Stat label={t('maxBytes')} value={times(skew.maxBytesOverMean)} hint={t('ofMean')} />
      <Stat label={t('emptySlots')} value={f.number(skew.emptySlots)} hint={t('ofAll')} />
    </StatGrid>
  );
}
