import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useJob } from '@/components/data/queries/use-jobs';
import { Link } from '@/components/ui/link';
import { ProgressBar } from '@/components/ui/progress';
import type { Job } from '@/lib/model/job';
import { measureShare } from '@/lib/model/snapshots/measure-share';

/** A running job in the space of a table cell; the event stream keeps it up to date. */
export function JobMiniProgress({ job: initial }: { job: Job }) {
  const t = useTranslations('jobs.state');
  const reasons = useTranslations('reasons');
  const f = useFormat();
  const fresh = useJob(initial.id).data;
  const job = fresh && fresh.updatedAt >= initial.updatedAt ? fresh : initial;
  const p = job.progress;
  const why = job.reason ? reasons(`${job.reason.code}.title`) : undefined;
  const share = measureShare(job);
  return (
    <Link href={`/jobs/${encodeURIComponent(job.id)}`} data-live className="block w-36 rounded" title={why}>
      <span className="num flex justify-between gap-2 text-xs">
        <span className="text-muted-foreground">{t(job.state)}</span>
        <span>{share === null ? f.compact(p?.done) : f.share(share)}</span>
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
