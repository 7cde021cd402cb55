import { useTranslations } from 'use-intl';
import { useJob } from '@/components/data/queries/use-jobs';
import { LoadChart } from '@/components/reports/load/load-chart';
import { JobControls } from '@/components/scans/job-controls';
import { JobProgress } from '@/components/scans/job-progress';
import { JobStateBadge } from '@/components/scans/job-state-badge';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import type { Job } from '@/lib/model/job';

export function LiveScanCard({ job: listed }: { job: Job }) {
  const t = useTranslations('scans.live');
  const fresh = useJob(listed.id).data;
  const job = fresh && fresh.updatedAt >= listed.updatedAt ? fresh : listed;
  return (
    <Card>
      <CardHeader
        title={
          <span className="flex items-center gap-2">
            {t('title')}
            <JobStateBadge state={job.state} />
          </span>
        }
        actions={<JobControls job={job} />}
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
