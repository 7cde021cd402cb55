import { useTranslations } from 'use-intl';
import { TimeAgo } from '@/components/data/format/time-ago';
import { useHydrated } from '@/components/data/format/use-hydrated';
import { Badge } from '@/components/ui/badge';

/** Age after which figures count as stale, ms: after a week of deployments the keyspace is a different one. */
const STALE_MS = 7 * 86_400_000;

/** When an instance was last scanned, with a mark if that is long ago. */
export function ScanTime({ at }: { at: number }) {
  const t = useTranslations('fleet');
  // The server's clock may differ from the reader's, so the first HTML has no mark.
  const stale = useHydrated() && Date.now() - at > STALE_MS;
  return (
    <span className="inline-flex items-center gap-1.5">
      <TimeAgo at={at} className="num" />
      {stale ? (
        <Badge tone="warning" title={t('staleHint')}>
          {t('stale')}
        </Badge>
      ) : null}
    </span>
  );
}
