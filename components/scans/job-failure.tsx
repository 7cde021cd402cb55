import { Play } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useJobAction } from '@/components/data/queries/use-jobs';
import { useErrorText, useErrorToast } from '@/components/data/use-error-text';
import { useHere } from '@/components/layout/navigation/use-here';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import type { Job } from '@/lib/model/job';
import { getJobKindWord } from './job-kind-word';

/** A failed job: what happened, what to try, and a button to continue from its checkpoint. */
export function JobFailure({ job }: { job: Job }) {
  const t = useTranslations('jobs.failure');
  const kinds = useTranslations('jobs.kind');
  const instances = useTranslations('instances');
  const errorText = useErrorText();
  const onError = useErrorToast();
  const { instanceHref } = useHere();
  const action = useJobAction(job.id);
  const failure = job.error ? errorText(job.error) : null;
  const title = t('title', { kind: kinds(getJobKindWord(job)) });
  return (
    <Alert
      tone="danger"
      title={failure ? `${title}: ${failure.title}` : title}
      actions={
        <>
          {job.instanceId && job.error?.code.startsWith('redis_') ? (
            <May permission="instance.manage" instanceId={job.instanceId}>
              <Button asChild size="sm" variant="ghost">
                <Link href={instanceHref(job.instanceId, '/edit')}>{instances('edit')}</Link>
              </Button>
            </May>
          ) : null}
          <May permission="job.control" instanceId={job.instanceId} reason>
            <Button size="sm" busy={action.isPending} onClick={() => action.mutate('resume', { onError })}>
              <Play aria-hidden />
              {t(job.progress && job.progress.done > 0 ? 'resume' : 'again')}
            </Button>
          </May>
        </>
      }
    >
      {failure?.hint ? <p>{failure.hint}</p> : null}
      {failure?.detail ? <p className="font-mono text-xs">{failure.detail}</p> : null}
    </Alert>
  );
}
