import { useTranslations } from 'use-intl';
import { TimeAgo } from '@/components/data/format/time-ago';
import { useHydrated } from '@/components/data/format/use-hydrated';
import { Badge } from '@/components/ui/badge';

/** After a week of deployments the figures tell of another keyspace. */
const STALE_MS = 7 * 86_400_000;

/** When an instance was last scanned, marked where that is long ago. */
export function ScanTime({ at }: { at: number }) {
  const t = useTranslations('fleet');
  // The server's clock need not be the reader's: what it says first has no mark.
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
