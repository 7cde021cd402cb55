'use client';
import { ChartNoAxesGantt, FolderTree, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { buildInstanceAddress } from '@/components/data/address/instance-address';
import { EachCard } from '@/components/data/card-boundary';
import { ErrorState } from '@/components/data/error-state';
import { usePersonName } from '@/components/data/format/use-person-name';
import { Value } from '@/components/data/format/value';
import { useJob } from '@/components/data/queries/use-jobs';
import { useSnapshot } from '@/components/data/queries/use-snapshots';
import { useHere } from '@/components/layout/navigation/use-here';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { LoadChart } from '@/components/reports/load/load-chart';
import { CostFacts } from '@/components/scans/cost-facts';
import { JobControls, useJobButtons } from '@/components/scans/job-controls';
import { JobFailure } from '@/components/scans/job-failure';
import { getJobKindWord } from '@/components/scans/job-kind-word';
import { JobProgress } from '@/components/scans/job-progress';
import { JobStateBadge } from '@/components/scans/job-state-badge';
import { PartialAlert } from '@/components/scans/partial-alert';
import { useElapsed } from '@/components/scans/use-elapsed';
import { WaysToStop } from '@/components/scans/ways-to-stop';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { FactList, FactRow } from '@/components/ui/fact-list';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import type { Job } from '@/lib/model/job';
import { isActive } from '@/lib/model/job-states';

export function JobPage({ id }: { id: string }) {
  const t = useTranslations('jobs');
  const { instanceHref } = useHere();
  const scans = useTranslations('scans');
  const { data: job, error, refetch } = useJob(id);
  const { data: snapshot } = useSnapshot(job?.state === 'succeeded' ? job.snapshotId : null);
  if (error && !job)
    return (
      <Card>
        <ErrorState page error={error} onRetry={() => void refetch()} />
      </Card>
    );
  if (!job) return <Skeleton className="h-64 rounded-lg" />;
  const { instanceId } = job;
  const name = job.instanceName ?? job.kind;
  const isDeletion = job.kind === 'deletion';
  const isSearch = job.kind === 'leftovers';
  return (
    <div className="space-y-4">
      <Breadcrumb
        label={t('title')}
        items={[
          {
            key: 'all',
            node: (
              <Link href="/jobs" className="rounded hover:text-foreground hover:underline">
                {t('title')}
              </Link>
            ),
          },
          { key: 'job', node: name },
        ]}
      />
      <PageHeader
        title={t(isDeletion ? 'pageTitleDeletion' : isSearch ? 'pageTitleSearch' : 'pageTitle', {
          kind: t(`kind.${getJobKindWord(job)}`),
          name,
        })}
        badges={<JobStateBadge state={job.state} />}
        actions={
          <>
            {instanceId ? (
              <Button asChild>
                <Link href={instanceHref(instanceId, '')}>
                  <ChartNoAxesGantt aria-hidden />
                  {t('toInstance')}
                </Link>
              </Button>
            ) : null}
            {instanceId && (isDeletion || isSearch) ? (
              <Button asChild variant="primary">
                <Link href={instanceHref(instanceId, '/deletions')}>
                  <Trash2 aria-hidden />
                  {t('toDeletions')}
                </Link>
              </Button>
            ) : null}
            {instanceId && job.snapshotId && job.state === 'succeeded' ? (
              <Button asChild variant="primary">
                <Link
                  href={buildInstanceAddress(instanceId, '/tree', `?snapshot=${encodeURIComponent(job.snapshotId)}`)}
                >
                  <FolderTree aria-hidden />
                  {t('toSnapshot')}
                </Link>
              </Button>
            ) : null}
          </>
        }
      />
      <EachCard>
        {job.state === 'failed' ? <JobFailure job={job} /> : null}
        {snapshot ? <PartialAlert manifest={snapshot} /> : null}
        <ProgressCard job={job} />
      </EachCard>
      <div className="grid gap-4 lg:grid-cols-2">
        <EachCard>
          <Card>
            <CardHeader title={t('facts')} />
            <CardBody className="py-2">
              <JobFacts job={job} />
            </CardBody>
          </Card>
          {job.cost ? (
            <Card>
              <CardHeader title={scans('cost.title')} description={scans('cost.text')} />
              <CardBody className="py-2">
                <CostFacts cost={job.cost} />
              </CardBody>
            </Card>
          ) : null}
        </EachCard>
      </div>
    </div>
  );
}

/** The progress of a job, with the ways to stop it; a scan also has its nodes and the load that it adds. */
function ProgressCard({ job }: { job: Job }) {
  const t = useTranslations('scans.live');
  const buttons = useJobButtons(job);
  const isDeletion = job.kind === 'deletion';
  const isSearch = job.kind === 'leftovers';
  // Only scans split their work by nodes.
  const hasNodes = !isDeletion && !isSearch;
  return (
    <Card>
      <CardHeader
        title={t(isDeletion ? 'titleDeletion' : isSearch ? 'titleSearch' : 'title')}
        actions={
          <>
            {hasNodes && job.progress && job.progress.nodes.length > 0 ? (
              <OneTableMenu id="job-nodes" name={t('nodes')} />
            ) : null}
            {isDeletion ? buttons.speed : <JobControls buttons={buttons} />}
          </>
        }
      />
      <CardBody className="space-y-5">
        <JobProgress job={job} nodes={hasNodes} />
        <WaysToStop job={job} buttons={buttons} />
        {hasNodes && isActive(job) ? <LoadChart job={job} /> : null}
      </CardBody>
    </Card>
  );
}

function JobFacts({ job }: { job: Job }) {
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
