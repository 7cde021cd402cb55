import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Badge } from '@/components/ui/badge';
import { Tooltip } from '@/components/ui/overlays/tooltip';

/** The scan still runs: numbers are not the last word. */
export function LiveBadge({ keys }: { keys: number }) {
  const t = useTranslations('filters.report');
  const f = useFormat();
  return (
    <Tooltip content={t('liveHint', { keys: f.number(keys) })}>
      <button type="button" data-live className="cursor-help rounded">
        <Badge tone="accent">
          <span aria-hidden className="size-1.5 animate-pulse rounded-full bg-accent" />
          {t('live')}
        </Badge>
      </button>
    </Tooltip>
  );
}
