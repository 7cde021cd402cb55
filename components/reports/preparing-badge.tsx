import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Badge } from '@/components/ui/badge';
import { Tooltip } from '@/components/ui/overlays/tooltip';
import type { Preparation } from '@/lib/model/snapshots/preparation';

/**
 * Says what the server prepares for a snapshot, and its progress. Until then the answers are complete but slow, and the
 * marks of rules are missing.
 */
export function PreparingBadge({ preparation: { task, waitsFor, share } }: { preparation: Preparation }) {
  const t = useTranslations('filters.report');
  const f = useFormat();
  const what = task === 'roll-up' ? t('rollingUp') : t('evaluating');
  const hint = waitsFor === 'worker' ? 'noWorkerHint' : task === 'roll-up' ? 'rollingUpHint' : 'evaluatingHint';
  const withShare = share === null ? what : `${what} ${f.share(share)}`;
  return (
    <Tooltip content={t(hint)}>
      <button type="button" data-live className="cursor-help rounded">
        <Badge tone="neutral">
          <span aria-hidden className="size-1.5 animate-pulse rounded-full bg-muted-foreground" />
          {waitsFor === 'worker' ? t('noWorker') : waitsFor === 'turn' ? t('preparingWaits', { what }) : withShare}
        </Badge>
      </button>
    </Tooltip>
  );
}
