import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { DualLine } from '@/components/charts/dual-line';
import { useFormat } from '@/components/data/format/use-format';
import { ChartPicture } from '@/components/reports/chart-picture';
import type { Job } from '@/lib/model/job';
import { addLoadPoint, computeLoadRates, type LoadPoint } from './load-points';

/** The load added by a running job, next to its progress: commands per second and the probe latency. */
export function LoadChart({ job }: { job: Job }) {
  const t = useTranslations('scans.load');
  const f = useFormat();
  const [points, setPoints] = useState<readonly LoadPoint[]>([]);
  useEffect(() => setPoints((old) => addLoadPoint(old, job)), [job]);
  const rows = computeLoadRates(points);
  // With fewer points the time axis would repeat the same second.
  if (rows.length < 4) return null;
  const share = rows.at(-1)?.serverShare ?? null;
  return (
    <section data-live aria-label={t('title')} className="mt-4">
      <ChartPicture
        title={t('title')}
        at={rows.at(-1)?.at}
        instanceName={job.instanceName}
        controls={<h3 className="font-medium text-sm">{t('title')}</h3>}
      >
        <DualLine
          label={t('title')}
          height={140}
          rows={rows}
          left={{ name: t('commands'), format: (value) => f.compact(value) }}
          right={{ name: t('latency'), format: (value) => f.ms(value) }}
          formatTime={(at) => f.time(at)}
        />
      </ChartPicture>
      <p className="num mt-1 text-muted-foreground text-xs">
        {share === null ? t('since') : t('share', { share: f.share(share) })}
      </p>
    </section>
  );
}
