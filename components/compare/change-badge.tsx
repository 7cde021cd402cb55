import { useTranslations } from 'use-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import type { Change } from '@/lib/model/comparison/comparison-words';

const TONES: Record<Change, BadgeTone> = { new: 'accent', gone: 'neutral', grown: 'warning', shrunk: 'neutral' };

export function ChangeBadge({ change }: { change: Change | null }) {
  const t = useTranslations('compare.change');
  return change === null ? null : <Badge tone={TONES[change]}>{t(change)}</Badge>;
}
