import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Tooltip } from '@/components/ui/overlays/tooltip';
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
  const f = useFormat();
  // Merely large is what the whole page is about.
  const split = row.split && row.split.severity !== 'large' ? { ...row.split, severity: row.split.severity } : null;
  if (row.hazards.length === 0 && split === null) return null;
  return (
    <span className="flex flex-wrap gap-1">
      {split ? (
        <Tooltip
          content={t(`splitHint.${split.of}`, {
            times: f.number(Math.round(split.times)),
            buckets: f.number(split.buckets),
          })}
        >
          <button type="button" className="cursor-help rounded">
            <Badge tone={split.severity === 'extreme' ? 'danger' : 'warning'}>{t(`severity.${split.severity}`)}</Badge>
          </button>
        </Tooltip>
      ) : null}
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
