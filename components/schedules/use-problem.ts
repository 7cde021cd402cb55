import { useTranslations } from 'use-intl';
import { asErrorBody } from '@/components/data/api-error';

/** Returns a function that says what is wrong with a schedule; null: the error is not about its times. */
export function useProblem(): (error: unknown) => string | null {
  const t = useTranslations('schedules.problem');
  return (error) => {
    if (!error) return null;
    const reason = asErrorBody(error).details?.reason;
    return typeof reason === 'string' && t.has(reason as 'never') ? t(reason as 'never') : null;
  };
}
