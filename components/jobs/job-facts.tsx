import { useTranslations } from 'use-intl';
import { usePersonName } from '@/components/data/format/use-person-name';
import { Value } from '@/components/data/format/value';
import { useElapsed } from '@/components/scans/use-elapsed';
import { FactList, FactRow } from '@/components/ui/fact-list';
import type { Job } from '@/lib/model/job';

export function JobFacts({ job }: { job: Job }) {
  const t = useTranslations('jobs.fact');
  const personName = usePersonName();
  const speeds = useTranslations('scans.speed');
  return (
    <FactList>
      <FactRow label={t('speed')}>{speeds(`${job.speed}.name`)}</FactRow>
      <FactRow label={t('by')}>{personName(job.actor)}</FactRow>
      <FactRow label={t('created')}>
        <Value value={job.createdAt} as="dateTime" />
      </FactRow>
      <FactRow label={t('started')}>
        <Value value={job.startedAt} as="dateTime" />
      </FactRow>
      <FactRow label={t('ended')}>
        <Value value={job.endedAt} as="dateTime" />
      </FactRow>
      <FactRow label={t('took')}>
        <Value value={useElapsed(job)} as="ms" />
      </FactRow>
      <FactRow label={t('id')}>
        <span className="font-mono text-xs">{job.id}</span>
      </FactRow>
    </FactList>
  );
}
