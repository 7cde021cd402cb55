import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { cn } from '@/components/ui/cn';
import type { Score } from '@/lib/model/rules/findings';
import { getScoreBand } from './score-band';

const FILL = { danger: 'bg-danger-solid', warning: 'bg-warning-solid', success: 'bg-success' };

/** A score from 0 to 100 as a number and a bar. The number is enough to read it; colour marks only low scores. */
export function ScoreNumber({
  score,
  change = null,
  size = 'md',
}: {
  score: number | null;
  /** Its change since the scan before. */
  change?: ReactNode;
  size?: 'md' | 'lg';
}) {
  const t = useTranslations('findings');
  const f = useFormat();
  const tone = score === null ? 'bg-chart-track' : FILL[getScoreBand(score)];
  return (
    <div>
      <p className="flex items-baseline gap-1.5">
        <span className={cn('num font-semibold tracking-tight', size === 'lg' ? 'text-5xl' : 'text-3xl')}>
          {f.decimal(score, 1)}
        </span>
        <span className="text-muted-foreground text-sm">{t('of100')}</span>
        {change}
      </p>
      <div className="mt-2 h-1.5 overflow-hidden rounded-full bg-chart-track" aria-hidden>
        <div className={cn('h-full rounded-full', tone)} style={{ width: `${score ?? 0}%` }} />
      </div>
    </div>
  );
}

/** Says why there is no score. `live`: the scan still runs and may still read keys. */
export function NoScore({ reason, live }: { reason: Score['reason']; live: boolean }) {
  const t = useTranslations('findings.score.none');
  return (
    <p className="text-muted-foreground text-sm">
      {t(reason === 'no_keys' && live ? 'not_yet' : (reason ?? 'not_judged'))}
    </p>
  );
}
