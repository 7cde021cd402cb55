import { useTranslations } from 'use-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';

const TONES = { violated: 'danger', passed: 'success', unknown: 'neutral' } as const satisfies Record<
  string,
  BadgeTone
>;

export function VerdictBadge({ verdict }: { verdict: 'violated' | 'passed' | 'unknown' }) {
  const t = useTranslations('rules.verdict');
  return <Badge tone={TONES[verdict]}>{t(verdict)}</Badge>;
}
