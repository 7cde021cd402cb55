import { useTranslations } from 'use-intl';
import { translateIfKnown } from '@/components/data/translate-if-known';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';

/** A reason in the reader's language; an unknown code of a newer server is shown unchanged. null gives ''. */
export function useReasonText() {
  const t = useTranslations('deletions.reasons');
  return (reason: CodedMessage | null): string =>
    reason === null ? '' : (translateIfKnown(t, reason.code, reason.params) ?? reason.code);
}
