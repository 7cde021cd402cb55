import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Link } from '@/components/ui/link';
import { ProgressBar } from '@/components/ui/progress';
import type { Job } from '@/lib/model/job';
import { measureShare } from '@/lib/model/snapshots/measure-share';
import { useNewestJob } from './use-newest-job';

/** A running job in the space of a table cell; the event stream keeps it up to date. */
export function JobMiniProgress({ job: listed }: { job: Job }) {
  const t = useTranslations('jobs.state');
  const reasons = useTranslations('reasons');
  const f = useFormat();
  const job = useNewestJob(listed);
  const waitReason = job.reason ? reasons(`${job.reason.code}.title`) : undefined;
  const share = measureShare(job);
  return (
    <Link href={`/jobs/${encodeURIComponent(job.id)}`} data-live className="block w-36 rounded" title={waitReason}>
      <span className="num flex justify-between gap-2 text-xs">
        <span className="text-muted-foreground">{t(job.state)}</span>
        <span>{share === null ? f.compact(job.progress?.done) : f.share(share)}</span>
      </span>
      <ProgressBar
        value={share}
        label={t(job.state)}
        tone={job.state === 'waiting' || job.state === 'paused' ? 'warning' : 'accent'}
        className="mt-1"
      />
    </Link>
  );
}
