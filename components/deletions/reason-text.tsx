import { useTranslations } from 'use-intl';
import { translateIfKnown } from '@/components/data/translate-if-known';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';

/**
 * Returns the function that puts a reason into the reader's language. A code that only a newer server knows is shown
 * unchanged; null gives ''.
 */
export function useReasonText() {
  const t = useTranslations('deletions.reasons');
  return (reason: CodedMessage | null): string =>
    reason === null ? '' : (translateIfKnown(t, reason.code, reason.params) ?? reason.code);
}
