import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useSilentSince } from '@/components/data/events/heartbeat';
import { TimeAgo } from '@/components/data/format/time-ago';
import { usePersonName } from '@/components/data/format/use-person-name';
import { Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { useSortParam } from '@/components/data-table/use-sort-param';
import { limitTableHeight } from '@/components/data-table/use-window';
import { getJobKindWord } from '@/components/scans/job-kind-word';
import { JobStateBadge } from '@/components/scans/job-state-badge';
import { useElapsed } from '@/components/scans/use-elapsed';
import { Link } from '@/components/ui/link';
import { ProgressBar } from '@/components/ui/progress';
import type { Job } from '@/lib/model/job';
import type { JobState } from '@/lib/model/job-states';
import { isActive, isUnfinished } from '@/lib/model/job-states';
import { measureShare } from '@/lib/model/snapshots/measure-share';

export function JobList({ jobs }: { jobs: Job[] }) {
  const t = useTranslations('jobs');
  const live = useTranslations('scans.live');
  const order = useSortParam();
  const personName = usePersonName();
  const columns = useMemo(
    (): DataColumn<Job>[] => [
      {
        id: 'job',
        header: t('column.job'),
        value: (job) => job.instanceName ?? job.kind,
        className: 'max-w-64',
        cell: (job) => <JobName job={job} />,
      },
      {
        id: 'state',
        header: t('column.state'),
        value: (job) => job.state,
        cell: (job) => <State job={job} />,
      },
      {
        id: 'progress',
        header: t('column.progress'),
        hide: 'max-md:hidden',
        headClassName: 'w-1/5',
        cell: (job) => <Progress job={job} />,
      },
      {
        id: 'keys',
        header: t('column.keys'),
        num: true,
        value: (job) => job.progress?.done,
        hide: 'max-sm:hidden',
        cell: ({ progress }) =>
          progress ? (
            <span data-whole={progress.done}>
              {live(progress.unit === 'elements' ? 'elementsUnknown' : 'keysUnknown', { done: progress.done })}
            </span>
          ) : (
            '—'
          ),
      },
      {
        id: 'rate',
        header: t('column.rate'),
        num: true,
        hide: 'max-md:hidden',
        cell: (job) => <Rate job={job} />,
      },
      {
        id: 'started',
        header: t('column.started'),
        num: true,
        value: (job) => job.startedAt ?? job.createdAt,
        cell: (job) => <TimeAgo at={job.startedAt ?? job.createdAt} />,
      },
      {
        id: 'took',
        header: t('column.took'),
        num: true,
        hide: 'max-sm:hidden',
        cell: (job) => <Took job={job} />,
      },
      {
        id: 'by',
        header: t('column.by'),
        value: (job) => job.actor,
        hide: 'max-lg:hidden',
        className: 'max-w-40 truncate text-muted-foreground',
        cell: (job) => personName(job.actor),
      },
    ],
    [t, live, personName],
  );
  return (
    <DataTable
      id="jobs"
      label={t('tableLabel')}
      className={limitTableHeight(jobs.length)}
      columns={columns}
      rows={jobs}
      rowId={(job) => job.id}
      order={order}
    />
  );
}

/** Colours of the bar; other states are accented while they are active, else grey. */
const TONES: Partial<Record<JobState, 'success' | 'danger' | 'warning'>> = {
  succeeded: 'success',
  failed: 'danger',
  paused: 'warning',
  waiting: 'warning',
};

function JobName({ job }: { job: Job }) {
  const t = useTranslations('jobs');
  const scans = useTranslations('scans.speed');
  return (
    <>
      <Link
        href={`/jobs/${encodeURIComponent(job.id)}`}
        className="block truncate rounded font-medium hover:text-accent hover:underline"
      >
        {job.instanceName ?? job.kind}
      </Link>
      <span className="text-muted-foreground text-xs">
        {t(`kind.${getJobKindWord(job)}`)} · {scans(`${job.speed}.name`)}
      </span>
    </>
  );
}

function State({ job }: { job: Job }) {
  const reasons = useTranslations('reasons');
  return (
    <>
      <JobStateBadge state={job.state} />
      {job.reason && isUnfinished(job) ? (
        <span className="mt-0.5 block text-muted-foreground text-xs">{reasons(`${job.reason.code}.title`)}</span>
      ) : null}
    </>
  );
}

function Progress({ job }: { job: Job }) {
  const t = useTranslations('jobs');
  const active = isActive(job);
  const share = measureShare(job);
  return (
    <span data-live={active || undefined} className="flex items-center gap-2">
      <ProgressBar
        value={active ? share : (share ?? 0)}
        label={t('column.progress')}
        tone={TONES[job.state] ?? (active ? 'accent' : 'muted')}
      />
      <span className="num w-12 shrink-0 text-right text-muted-foreground text-xs">
        <Value value={share} as="share" />
      </span>
    </span>
  );
}

function Rate({ job }: { job: Job }) {
  const elapsedMs = useElapsed(job);
  // The current speed is unknown while Colonnade itself does not answer.
  const isSilent = useSilentSince() !== null;
  const { progress } = job;
  const average = progress && elapsedMs ? progress.done / (elapsedMs / 1000) : null;
  return <Value value={isActive(job) ? (isSilent ? null : progress?.ratePerSecond) : average} as="rate" />;
}

/** A component of its own, because its value changes every second. */
function Took({ job }: { job: Job }) {
  return <Value value={useElapsed(job)} as="ms" />;
}
