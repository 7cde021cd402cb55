import { useTranslations } from 'use-intl';
import { useFormat } from './use-format';

/**
 * What moment the numbers of an answer are of. Of a running scan to the second: one answer serves all who look on for
 * up to half a minute.
 */
export function useAsOf(): (answer: { asOf: number; live: boolean }) => string {
  const t = useTranslations('filters.report');
  const f = useFormat();
  return ({ asOf, live }) => t('asOf', { time: live ? f.time(asOf) : f.dateTime(asOf) });
}
