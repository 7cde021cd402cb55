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

/** Being merely large is not a hazard: the whole page lists large keys. */
export const hasHazards = ({ hazards, split }: BigkeyRow): boolean =>
  hazards.length > 0 || (split != null && split.severity !== 'large');

/**
 * Hazards besides the size, on one line: the worst one, with its reason on hover and focus, and how many more there
 * are.
 */
export function HazardBadges({ row }: { row: BigkeyRow }) {
  const t = useTranslations('bigkeys');
  const f = useFormat();
  const badges: { tone: BadgeTone; label: string; hint: string }[] = row.hazards.map((hazard) => ({
    tone: TONES[hazard],
    label: t(`hazard.${hazard}`),
    hint: t(`hazardHint.${hazard}`),
  }));
  const { split } = row;
  if (split && split.severity !== 'large')
    badges.push({
      tone: split.severity === 'extreme' ? 'danger' : 'warning',
      label: t(`severity.${split.severity}`),
      hint: t(`splitHint.${split.of}`, {
        times: f.number(Math.round(split.times)),
        buckets: f.number(split.buckets),
      }),
    });
  const [worst, ...rest] = badges;
  if (worst === undefined) return null;
  return (
    <span className="flex items-center gap-1">
      <Hinted hint={worst.hint}>
        <Badge tone={worst.tone}>{worst.label}</Badge>
      </Hinted>
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
