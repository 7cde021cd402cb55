import { useTranslations } from 'use-intl';
import { useFormat } from './use-format';

/**
 * The time that the numbers of an answer are from. For a running scan it is exact to the second, because one answer
 * serves all viewers for up to half a minute.
 */
export function useAsOf(): (answer: { asOf: number; live: boolean }) => string {
  const t = useTranslations('filters.report');
  const f = useFormat();
  return ({ asOf, live }) => t('asOf', { time: live ? f.time(asOf) : f.dateTime(asOf) });
}
