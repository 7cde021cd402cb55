import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { Totals } from '@/lib/model/reports/reports';

/** Formats the memory of selected keys, with the number of keys whose size is unknown, if there are any. */
export function useSizeText(): (totals: Totals) => string {
  const t = useTranslations('filters.report');
  const f = useFormat();
  return (totals) => {
    const bytes = f.bytes(toKnownBytes(totals));
    return totals.bytesUnknown > 0 ? `${bytes} · ${t('unknownSize', { count: totals.bytesUnknown })}` : bytes;
  };
}
