import { useTranslations } from 'use-intl';
import type { Forecast } from '@/lib/model/snapshots/trends';

/** Formats a range of days: `12–20 days`, `12 days`, `12 days or more`. */
export function useDayRange(): (range: Pick<Forecast, 'from' | 'to'>) => string {
  const t = useTranslations('trends.days');
  return ({ from, to }) => {
    if (to === null) return t('open', { from });
    return from === to ? t('exact', { to }) : t('range', { from, to });
  };
}
