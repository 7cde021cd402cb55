import { LoaderCircle } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { Popover, PopoverClose, PopoverContent, PopoverTrigger } from '@/components/ui/overlays/popover';
import { ProgressBar } from '@/components/ui/progress';
import type { Job } from '@/lib/model/job';
import { measureShare } from '@/lib/model/snapshots/measure-share';

/** The menu has space for this many jobs. */
const SHOWN = 8;

/** The number of running jobs, and the progress of the first ones. */
export function RunningJobsMenu({ jobs }: { jobs: readonly Job[] }) {
  const t = useTranslations('nav');
  const f = useFormat();
  const label = t('runningJobs', { count: jobs.length });
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant="ghost" size="sm" aria-label={label} title={label} data-live className="text-accent">
          <LoaderCircle className="animate-spin" aria-hidden />
          <span className="num">{jobs.length}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" className="w-80 space-y-3">
        <p className="font-medium">{label}</p>
        <ul data-live className="space-y-3">
          {jobs.slice(0, SHOWN).map((job) => {
            const share = measureShare(job);
            return (
              <li key={job.id}>
                <PopoverClose asChild>
                  <Link href={`/jobs/${encodeURIComponent(job.id)}`} className="block space-y-1 rounded-md">
                    <span className="flex justify-between gap-2">
                      <span className="truncate">{job.instanceName ?? job.kind}</span>
                      <span className="num text-muted-foreground text-xs">
                        {share === null ? f.compact(job.progress?.done) : f.share(share)}
                      </span>
                    </span>
                    <ProgressBar
                      value={share}
                      label={job.instanceName ?? job.kind}
                      tone={job.state === 'waiting' ? 'warning' : 'accent'}
                    />
                  </Link>
                </PopoverClose>
              </li>
            );
          })}
        </ul>
        <PopoverClose asChild>
          <Link href="/jobs" className="text-accent hover:underline">
            {t('allJobs')}
          </Link>
        </PopoverClose>
      </PopoverContent>
    </Popover>
  );
}
