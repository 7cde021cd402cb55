import type { ComponentProps, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useSilentSince } from '@/components/data/events/heartbeat';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { ProgressBar } from '@/components/ui/progress';
import type { Job } from '@/lib/model/job';
import { isActive, isUnfinished } from '@/lib/model/job-states';
import { measureShare } from '@/lib/model/snapshots/measure-share';
import { NodeRows } from './node-rows';
import { useElapsed } from './use-elapsed';
import { WaitReasonAlert } from './wait-reason';

/** Colours of the bar; other states have the colour of work in progress. */
const TONES: Partial<Record<Job['state'], ComponentProps<typeof ProgressBar>['tone']>> = {
  failed: 'danger',
  waiting: 'warning',
  paused: 'warning',
  succeeded: 'success',
  cancelled: 'muted',
};

/** The progress of a job: bar, numbers, the reason if it waits, and its nodes. */
export function JobProgress({ job, nodes = true }: { job: Job; nodes?: boolean }) {
  const t = useTranslations('scans.live');
  const phases = useTranslations('jobs.phase');
  const f = useFormat();
  const elapsedMs = useElapsed(job);
  const { progress } = job;
  const active = isActive(job);
  const unfinished = isUnfinished(job);
  // The current speed is unknown while Colonnade itself does not answer.
  const currentProgress = useSilentSince() === null ? progress : null;
  const share = measureShare(job);
  const latencies = progress?.nodes.map(({ latencyMs }) => latencyMs).filter((ms) => ms !== null) ?? [];
  const latency = latencies.length > 0 ? Math.max(...latencies) : null;
  return (
    <div data-live={active || undefined} className="space-y-3">
      <div>
        <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="num font-semibold text-lg tracking-tight">
            {share !== null ? f.share(share) : progress ? f.number(progress.done) : phases('connecting')}
            {progress && active ? (
              <span className="ml-2 font-normal text-muted-foreground text-sm tracking-normal">
                {phases(progress.phase)}
              </span>
            ) : null}
          </span>
          <span className="num text-muted-foreground">
            {/* A job that has ended shows what it has done; its total may have been an estimate. */}
            {progress
              ? progress.total === null || !unfinished
                ? t(progress.unit === 'elements' ? 'elementsUnknown' : 'keysUnknown', { done: progress.done })
                : t(progress.unit, { done: f.number(progress.done), total: f.number(progress.total) })
              : null}
          </span>
        </div>
        {/* An unknown share is a moving bar while the job is active, and an empty one afterwards. */}
        <ProgressBar
          value={active ? share : (share ?? 0)}
          label={t('progress')}
          tone={TONES[job.state] ?? 'accent'}
          className="h-2"
        />
      </div>
      <dl className="num grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
        <Figure label={t(active ? 'rate' : 'averageRate')}>
          <Value value={active ? (currentProgress?.ratePerSecond ?? null) : computeAverageRate(job)} as="rate" />
        </Figure>
        {active ? (
          <Figure label={t('eta')}>
            <Value value={currentProgress?.etaSeconds ?? null} as="seconds" />
          </Figure>
        ) : null}
        <Figure label={t(active ? 'latency' : 'worstLatency')}>
          <Value value={active ? latency : (job.cost?.worstLatencyMs ?? null)} as="ms" />
          {active && job.cost?.worstLatencyMs != null ? (
            <span className="ml-1.5 font-normal text-muted-foreground text-xs">
              {t('worst', { value: f.ms(job.cost.worstLatencyMs) })}
            </span>
          ) : null}
        </Figure>
        <Figure label={t('elapsed')}>
          <Value value={elapsedMs} as="ms" />
        </Figure>
      </dl>
      {job.reason && unfinished ? <WaitReasonAlert reason={job.reason} /> : null}
      {progress?.begunAnew ? <p className="text-muted-foreground">{t('begunAnew')}</p> : null}
      {nodes && progress && progress.nodes.length > 0 ? <NodeRows nodes={progress.nodes} /> : null}
    </div>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted-foreground text-xs">{label}</dt>
      <dd className="font-medium text-base">{children}</dd>
    </div>
  );
}

/** Keys or elements per second from the start to the end, or to the last change; null: unknown. */
function computeAverageRate(job: Job): number | null {
  const until = job.endedAt ?? job.updatedAt;
  if (!job.startedAt || !job.progress || until <= job.startedAt) return null;
  return job.progress.done / ((until - job.startedAt) / 1000);
}
