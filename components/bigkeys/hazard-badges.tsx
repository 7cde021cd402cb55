import type { ReactNode } from 'react';
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

export const hasHazards = ({ hazards, split }: BigkeyRow): boolean =>
  hazards.length > 0 || (split != null && split.severity !== 'large');

/**
 * Hazards besides the size, on one line: the worst one, with its reason on hover and focus, and how many more there
 * are.
 */
export function HazardBadges({ row }: { row: BigkeyRow }) {
  const t = useTranslations('bigkeys');
  const f = useFormat();
  // Being merely large is not a hazard of its own: the whole page lists large keys.
  const split = row.split && row.split.severity !== 'large' ? { ...row.split, severity: row.split.severity } : null;
  if (!hasHazards(row)) return null;
  const badges: { tone: BadgeTone; label: string; hint: string }[] = row.hazards.map((hazard) => ({
    tone: TONES[hazard],
    label: t(`hazard.${hazard}`),
    hint: t(`hazardHint.${hazard}`),
  }));
  if (split)
    badges.push({
      tone: split.severity === 'extreme' ? 'danger' : 'warning',
      label: t(`severity.${split.severity}`),
      hint: t(`splitHint.${split.of}`, {
        times: f.number(Math.round(split.times)),
        buckets: f.number(split.buckets),
      }),
    });
  const rest = badges.slice(1);
  return (
    <span className="flex items-center gap-1">
      {badges.slice(0, 1).map((badge) => (
        <Hinted key={badge.label} hint={badge.hint}>
          <Badge tone={badge.tone}>{badge.label}</Badge>
        </Hinted>
      ))}
      {rest.length > 0 ? (
        <Hinted hint={rest.map((badge) => `${badge.label}: ${badge.hint}`).join(' ')}>
          <span className="text-muted-foreground text-xs">+{rest.length}</span>
        </Hinted>
      ) : null}
    </span>
  );
}

function Hinted({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <Tooltip content={hint}>
      <button type="button" data-hint className="cursor-help rounded">
        {children}
      </button>
    </Tooltip>
  );
}
