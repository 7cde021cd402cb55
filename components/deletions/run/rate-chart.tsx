import { useTranslations } from 'use-intl';
import { DualLine } from '@/components/charts/dual-line';
import { useFormat } from '@/components/data/format/use-format';
import { ChartPicture } from '@/components/reports/chart-picture';
import type { DeletionPoint } from '@/lib/model/deletions/deletion';

/**
 * Elements deleted or restored per second (or keys, if the job counts keys), next to the probe latency, so that the cost
 * is visible while the job runs.
 */
export function RateChart({ points, of }: { points: readonly DeletionPoint[]; of: 'deleted' | 'restored' | 'keys' }) {
  const t = useTranslations('deletions.live');
  const f = useFormat();
  // With only a second or two of points the time axis would repeat the same time.
  if (points.length < 5) return null;
  const rows = points.slice(1).map((point, index) => {
    const before = points[index];
    const seconds = before ? (point.at - before.at) / 1000 : 0;
    const rate = before && seconds > 0 ? Math.max(0, (point.removed - before.removed) / seconds) : 0;
    return { at: point.at, left: rate, right: point.latencyMs };
  });
  const [title, rate] = NAMES[of];
  return (
    <ChartPicture
      title={t(title)}
      at={points.at(-1)?.at}
      controls={<h3 className="font-medium text-sm">{t(title)}</h3>}
    >
      <DualLine
        label={t(title)}
        rows={rows}
        left={{ name: t(rate), format: (value) => f.compact(value) }}
        right={{ name: t('latency'), format: (value) => f.ms(value) }}
        formatTime={(at) => f.time(at)}
      />
    </ChartPicture>
  );
}

const NAMES = {
  deleted: ['chart', 'rate'],
  restored: ['chartRestored', 'rateRestored'],
  keys: ['chartKeys', 'rateKeys'],
} as const;
