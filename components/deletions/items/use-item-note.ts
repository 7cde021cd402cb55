import { useTranslations } from 'use-intl';
import { useReasonText } from '@/components/deletions/reason-text';
import type { DeletionItem, Hazard } from '@/lib/model/deletions/deletion-item';

/**
 * The note of one key, on a line of its own over the whole width; null: none. `common`: hazards of all keys, which are
 * left out here.
 */
export function useItemNote({ planned, common }: { planned: boolean; common: readonly Hazard[] }) {
  const t = useTranslations('deletions');
  const reasonText = useReasonText();
  return (item: DeletionItem): string | null => {
    const reason = item.reason ?? (planned ? item.modeReason : null);
    const hazards = planned ? item.hazards.filter((hazard) => !common.includes(hazard)) : [];
    const notes = [...hazards.map((hazard) => t(`hazard.${hazard}`)), ...(reason ? [reasonText(reason)] : [])];
    return notes.length > 0 ? notes.join('; ') : null;
  };
}
