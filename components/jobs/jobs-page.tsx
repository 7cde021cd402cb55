'use client';
import { ListChecks } from 'lucide-react';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { ErrorState } from '@/components/data/error-state';
import { useJobs } from '@/components/data/queries/use-jobs';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Segmented } from '@/components/ui/forms/segmented';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import { isUnfinished } from '@/lib/model/job-states';
import { JobList } from './job-list';

const SHOW = ['all', 'active', 'ended'] as const;

type Show = (typeof SHOW)[number];

export function JobsPage() {
  const t = useTranslations('jobs');
  const [show, setShow] = useQueryState('show', parseAsStringLiteral(SHOW).withDefault('all'));
  return (
    <div className="space-y-4">
      <PageHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <>
            <Segmented
              label={t('filter.label')}
              value={show}
              onValueChange={(value) => void setShow(value)}
              options={SHOW.map((value) => ({ value, label: t(`filter.${value}`) }))}
            />
            <JobFiles />
          </>
        }
      />
      <EachCard>
        <Jobs show={show} />
      </EachCard>
    </div>
  );
}

/** The file menu, if there are jobs to list. */
function JobFiles() {
  const t = useTranslations('jobs');
  const jobs = useJobs();
  return jobs.data && jobs.data.length > 0 ? <OneTableMenu id="jobs" name={t('title')} /> : null;
}

function Jobs({ show }: { show: Show }) {
  const t = useTranslations('jobs');
  const jobs = useJobs();
  const rows = (jobs.data ?? []).filter((job) => show === 'all' || (show === 'active') === isUnfinished(job));
  return (
    <Card>
      {jobs.error && !jobs.data ? (
        <ErrorState error={jobs.error} onRetry={() => void jobs.refetch()} />
      ) : !jobs.data ? (
        <SkeletonRows rows={8} />
      ) : rows.length > 0 ? (
        <JobList jobs={rows} />
      ) : jobs.data.length > 0 ? (
        <EmptyState icon={ListChecks} title={t('emptyFiltered.title')}>
          {t('emptyFiltered.text')}
        </EmptyState>
      ) : (
        <EmptyState
          icon={ListChecks}
          title={t('empty.title')}
          className="py-20"
          actions={
            <Button asChild variant="primary">
              <Link href="/">{t('empty.action')}</Link>
            </Button>
          }
        >
          {t('empty.text')}
        </EmptyState>
      )}
    </Card>
  );
}
