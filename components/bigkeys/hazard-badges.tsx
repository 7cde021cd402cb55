'use client';
import { useTranslations } from 'use-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Tooltip } from '@/components/ui/tooltip';
import type { BigkeyRow } from '@/lib/model/reports/reports';

const TONES: Record<BigkeyRow['hazards'][number], BadgeTone> = {
  expires_blocking: 'danger',
  expires_soon: 'warning',
  one_field_hash: 'outline',
  huge_string: 'outline',
};

/** What may hurt beyond the size, each with its reason on hover and focus. */
export function HazardBadges({ row }: { row: BigkeyRow }) {
  const t = useTranslations('bigkeys');
  if (row.hazards.length === 0) return null;
  return (
    <span className="flex gap-1">
      {row.hazards.map((hazard) => (
        <Tooltip key={hazard} content={t(`hazardHint.${hazard}`)}>
          <button type="button" className="cursor-help rounded">
            <Badge tone={TONES[hazard]}>{t(`hazard.${hazard}`)}</Badge>
          </button>
        </Tooltip>
      ))}
    </span>
  );
}
