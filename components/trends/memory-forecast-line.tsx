import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Alert } from '@/components/ui/alert';
import type { MemoryForecast } from '@/lib/model/snapshots/trends';
import { useDayRange } from './use-day-range';

/** When the memory of the fullest node is used up, in one sentence; null = nothing can be said. */
export function MemoryForecastLine({ memory }: { memory: MemoryForecast | null }) {
  const t = useTranslations('trends.memory');
  const f = useFormat();
  const formatDays = useDayRange();
  if (memory === null) return <p className="text-muted-foreground text-sm">{t('nothing')}</p>;
  const { address, limitBytes, perDay, outcome } = memory;
  return (
    <Alert tone="warning" title={t(outcome ?? 'unknown', { days: formatDays(memory) })}>
      {t('text', { address, limit: f.bytes(limitBytes), perDay: f.bytes(perDay) })}
    </Alert>
  );
}
