import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useLiveStage } from '@/components/data/queries/use-live-stage';
import { Badge } from '@/components/ui/badge';
import { Tooltip } from '@/components/ui/overlays/tooltip';

/**
 * Says that the snapshot is not complete yet, so its numbers are preliminary. `jobId`: its scan, which has the
 * progress.
 */
export function LiveBadge({ jobId, keys }: { jobId: string | null; keys: number }) {
  const t = useTranslations('filters.report');
  const f = useFormat();
  const stage = useLiveStage(jobId);
  return (
    <Tooltip content={t('liveHint', { keys: f.number(keys) })}>
      <button type="button" data-live className="cursor-help rounded">
        <Badge tone="accent">
          <span aria-hidden className="size-1.5 animate-pulse rounded-full bg-accent" />
          {t('live', { stage })}
        </Badge>
      </button>
    </Tooltip>
  );
}
