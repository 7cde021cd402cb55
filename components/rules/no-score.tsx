import { useTranslations } from 'use-intl';
import type { Score } from '@/lib/model/rules/findings';

/** In place of a score: why there is none. `live`: the scan still runs, and may read keys yet. */
export function NoScore({ reason, live }: { reason: Score['reason']; live: boolean }) {
  const t = useTranslations('findings.score.none');
  return (
    <p className="text-muted-foreground text-sm">
      {t(reason === 'no_keys' && live ? 'not_yet' : (reason ?? 'not_judged'))}
    </p>
  );
}
