import { useTranslations } from 'use-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import type { Strength } from '@/lib/model/rules/rules';

const TONES: Record<Strength, BadgeTone> = { mandatory: 'danger', recommended: 'warning', advice: 'neutral' };

export function StrengthBadge({ strength }: { strength: Strength }) {
  const t = useTranslations('rules.strength');
  return <Badge tone={TONES[strength]}>{t(strength)}</Badge>;
}
