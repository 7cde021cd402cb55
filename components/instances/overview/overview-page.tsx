'use client';
import { Camera, Pencil } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { ErrorState } from '@/components/data/error-state';
import { May } from '@/components/data/may';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useInstance } from '@/components/data/queries/use-instances';
import { useJobs } from '@/components/data/queries/use-jobs';
import { SnapshotGone } from '@/components/data/snapshot-gone';
import { useHere } from '@/components/layout/navigation/use-here';
import { TableExportMenu } from '@/components/reports/files/export-menu';
import { FilterChips } from '@/components/reports/filter/filter-chips-if-any';
import { useFilter } from '@/components/reports/filter/use-filter';
import { LoadChart } from '@/components/reports/load/load-chart';
import { JobControls, useJobButtons } from '@/components/scans/job-controls';
import { JobFailure } from '@/components/scans/job-failure';
import { JobProgress } from '@/components/scans/job-progress';
import { JobStateBadge } from '@/components/scans/job-state-badge';
import { ScanButton } from '@/components/scans/scan-button';
import { useNewestJob } from '@/components/scans/use-newest-job';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { InstanceTags } from '@/components/ui/instance-tags';
import { Link } from '@/components/ui/link';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { DropdownMenuItem } from '@/components/ui/overlays/dropdown-menu';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import type { Job } from '@/lib/model/job';
import { isUnfinished } from '@/lib/model/job-states';
import { toOverviewQuery } from './overview-query';
import { SnapshotOverview } from './snapshot-overview';
import { SnapshotsCard } from './snapshots-card';

const HtmlReportDialog = createLazyPart(() => import('./html-report-dialog').then((loaded) => loaded.HtmlReportDialog));

export function OverviewPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('overview');
  const instances = useTranslations('instances');
  const nav = useTranslations('nav');
  const { instanceHref } = useHere();
  const { reportFilter } = useFilter();
  const { data: instance } = useInstance(instanceId);
  const [writing, setWriting] = useState(false);
  const jobs = useJobs({ instanceId });
  const current = useCurrentSnapshot(instanceId);
  const scans = jobs.data?.filter(({ kind }) => kind === 'scan').toSorted((a, b) => b.createdAt - a.createdAt);
  const deletion = jobs.data?.find((job) => job.kind === 'deletion' && isUnfinished(job));
  const running = scans?.find(isUnfinished);
  const failed = !running && scans?.[0]?.state === 'failed' ? scans[0] : null;
  return (
    <div className="space-y-4">
      <PageHeader
        title={instance?.name ?? <span className="text-muted-foreground">{nav('instance')}</span>}
        badges={
          instance ? (
            <>
              <Badge>{instances(`topology.${instance.topology}`)}</Badge>
              <InstanceTags {...instance} className="mt-0" />
            </>
          ) : null
        }
        description={
          instance ? (
            <span className="font-mono text-xs [overflow-wrap:anywhere]">
              {instance.endpoints.map(({ host, port }) => `${host}:${port}`).join(', ')}
              {instance.owner ? <span className="font-sans"> · {instance.owner}</span> : null}
            </span>
          ) : null
        }
        actions={
          <>
            {current.snapshotId ? (
              <TableExportMenu snapshotId={current.snapshotId} name="overview" query={toOverviewQuery(reportFilter)}>
                <DropdownMenuItem onSelect={() => setWriting(true)}>{t('htmlReport.action')}</DropdownMenuItem>
              </TableExportMenu>
            ) : null}
            {instance ? (
              <>
                <May permission="instance.manage" instanceId={instanceId}>
                  <Button asChild>
                    <Link href={instanceHref(instanceId, '/edit')}>
                      <Pencil aria-hidden />
                      {instances('edit')}
                    </Link>
                  </Button>
                </May>
                <ScanButton instance={instance} variant="primary" disabled={running !== undefined} />
              </>
            ) : null}
          </>
        }
      />
      <SnapshotGone current={current} />
      {writing && current.snapshotId ? (
        <HtmlReportDialog snapshotId={current.snapshotId} onClose={() => setWriting(false)} />
      ) : null}
      <FilterChips />
      <EachCard>{running ? <LiveScanCard job={running} /> : null}</EachCard>
      {deletion ? (
        <Alert
          tone="info"
          title={t('deletionTitle')}
          actions={
            <Button asChild size="sm">
              <Link href={instanceHref(instanceId, '/deletions')}>{t('deletionOpen')}</Link>
            </Button>
          }
        />
      ) : null}
      {failed ? <JobFailure job={failed} /> : null}
      {current.snapshotId ? (
        <SnapshotOverview instanceId={instanceId} snapshotId={current.snapshotId} />
      ) : current.error ? (
        <Card>
          <ErrorState error={current.error} onRetry={current.refetch} />
        </Card>
      ) : current.pending ? (
        <Skeleton className="h-28 rounded-lg" />
      ) : running || !instance ? null : (
        <Card>
          <EmptyState
            icon={Camera}
            title={t('neverScanned.title')}
            className="py-20"
            actions={<ScanButton instance={instance} variant="primary" />}
          >
            {t('neverScanned.text')}
          </EmptyState>
        </Card>
      )}
      <EachCard>
        <SnapshotsCard instanceId={instanceId} current={current} />
      </EachCard>
    </div>
  );
}

/** The progress and the load of a running or paused scan, with its controls. */
function LiveScanCard({ job: listed }: { job: Job }) {
  const t = useTranslations('scans.live');
  const job = useNewestJob(listed);
  const buttons = useJobButtons(job);
  return (
    <Card>
      <CardHeader
        title={
          <span className="flex items-center gap-2">
            {t('title')}
            <JobStateBadge state={job.state} />
          </span>
        }
        actions={<JobControls buttons={buttons} />}
      />
      <CardBody>
        <JobProgress job={job} />
        <LoadChart job={job} />
        <Link
          href={`/jobs/${encodeURIComponent(job.id)}`}
          className="mt-3 inline-block rounded text-accent text-xs hover:underline"
        >
          {t('details')}
        </Link>
      </CardBody>
    </Card>
  );
}
