'use client';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { TimeAgo } from '@/components/data/format/time-ago';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { isActive } from '@/components/data/use-jobs';
import { JobStateBadge } from '@/components/scans/job-state-badge';
import { useElapsed } from '@/components/scans/use-elapsed';
import { ProgressBar } from '@/components/ui/progress';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { Job, JobState } from '@/lib/model/job';

const KINDS = ['scan', 'deletion', 'leftovers'] as const;
const kindOf = (kind: string) => KINDS.find((known) => known === kind) ?? 'other';

export function JobList({ jobs }: { jobs: Job[] }) {
  const t = useTranslations('jobs');
  return (
    <TableScroll label={t('tableLabel')}>
      <Table>
        <THead>
          <tr>
            <Th>{t('column.job')}</Th>
            <Th>{t('column.state')}</Th>
            <Th className="w-1/5 max-md:hidden">{t('column.progress')}</Th>
            <Th right className="max-sm:hidden">
              {t('column.keys')}
            </Th>
            <Th right className="max-md:hidden">
              {t('column.rate')}
            </Th>
            <Th right>{t('column.started')}</Th>
            <Th right className="max-sm:hidden">
              {t('column.took')}
            </Th>
            <Th className="max-lg:hidden">{t('column.by')}</Th>
          </tr>
        </THead>
        <TBody>
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </TBody>
      </Table>
    </TableScroll>
  );
}

const TONES: Partial<Record<JobState, 'success' | 'danger' | 'warning'>> = {
  succeeded: 'success',
  failed: 'danger',
  paused: 'warning',
  waiting: 'warning',
};

function JobRow({ job }: { job: Job }) {
  const t = useTranslations('jobs');
  const scans = useTranslations('scans.speed');
  const live = useTranslations('scans.live');
  const reasons = useTranslations('reasons');
  const f = useFormat();
  const elapsedMs = useElapsed(job);
  const p = job.progress;
  const active = isActive(job);
  const share = job.state === 'succeeded' ? 1 : p?.total ? Math.min(1, p.done / p.total) : null;
  const average = p && elapsedMs ? p.done / (elapsedMs / 1000) : null;
  return (
    <Tr>
      <Td className="max-w-64">
        <Link
          href={`/jobs/${encodeURIComponent(job.id)}`}
          className="block truncate rounded font-medium hover:text-accent hover:underline"
        >
          {job.instanceName ?? job.kind}
        </Link>
        <span className="text-muted-foreground text-xs">
          {t(`kind.${kindOf(job.kind)}`)} · {scans(`${job.speed}.name`)}
        </span>
      </Td>
      <Td>
        <JobStateBadge state={job.state} />
        {job.reason && (active || job.state === 'paused') ? (
          <span className="mt-0.5 block text-muted-foreground text-xs">{reasons(`${job.reason.code}.title`)}</span>
        ) : null}
      </Td>
      <Td className="max-md:hidden">
        <span className="flex items-center gap-2">
          <ProgressBar
            value={active ? share : (share ?? 0)}
            label={t('column.progress')}
            tone={TONES[job.state] ?? (active ? 'accent' : 'muted')}
          />
          <span className="num w-12 shrink-0 text-right text-muted-foreground text-xs">{f.share(share)}</span>
        </span>
      </Td>
      <Td num className="max-sm:hidden">
        {p ? live(p.unit === 'elements' ? 'elementsUnknown' : 'keysUnknown', { done: f.number(p.done) }) : '—'}
      </Td>
      <Td num className="max-md:hidden">
        <Value value={active ? p?.ratePerSecond : average} as="rate" />
      </Td>
      <Td num>
        <TimeAgo at={job.startedAt ?? job.createdAt} />
      </Td>
      <Td num className="max-sm:hidden">
        <Value value={elapsedMs} as="ms" />
      </Td>
      <Td className="max-w-40 truncate text-muted-foreground max-lg:hidden">{job.actor}</Td>
    </Tr>
  );
}
