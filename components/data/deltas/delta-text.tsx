import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';

export type DeltaFormat = 'number' | 'compact' | 'bytes' | 'decimal';

/**
 * The change of a figure since the scan before, as ▲ or ▼. `since` is that scan's start, epoch ms; null = of several
 * instances, each with its own. `spelled`: with the time as text instead of only on hover.
 */
export function DeltaText({
  change,
  since,
  as,
  spelled,
}: {
  change: number;
  since: number | null;
  as: DeltaFormat;
  spelled?: boolean | undefined;
}) {
  const t = useTranslations('trends.delta');
  const f = useFormat();
  const time = since === null ? t('lastScans') : t('since', { time: f.dateTime(since) });
  return (
    <span className="num whitespace-normal text-muted-foreground text-xs" title={time}>
      <span aria-hidden>{change > 0 ? '▲\u00a0' : change < 0 ? '▼\u00a0' : '±'}</span>
      {f[as](Math.abs(change))}
      <span className="sr-only"> {t(change > 0 ? 'more' : change < 0 ? 'less' : 'same')}</span>{' '}
      <span className={spelled ? '' : 'sr-only'}>{time}</span>
    </span>
  );
}
