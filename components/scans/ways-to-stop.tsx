import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useEmergencyStopState } from '@/components/data/queries/use-deletions';
import { EmergencyStopButtons } from '@/components/layout/menus/emergency-stop-buttons';
import type { Job } from '@/lib/model/job';
import { isUnfinished } from '@/lib/model/job-states';
import { getJobAct, type JobButtons } from './job-controls';

/**
 * The ways to stop a job that writes, one line each, in the same order on every page: pause, stop now, cancel, emergency
 * stop. `stopNow`: the button, on pages that know the deletion of the job.
 */
export function WaysToStop(props: { job: Job; buttons: JobButtons; stopNow?: ReactNode }) {
  const { job, buttons, stopNow = null } = props;
  const t = useTranslations('deletions.ways');
  const stop = useTranslations('deletions.stop');
  const file = useEmergencyStopState().data?.flagFile ?? 'PANIC';
  const act = getJobAct(job);
  if (!isUnfinished(job) || act === 'scan') return null;
  return (
    <section aria-label={t('title')} className="space-y-3 border-t pt-4">
      <p className="text-muted-foreground text-xs">{t('intro')}</p>
      <StopRows>
        <StopRow button={buttons.pause ?? buttons.resume}>{t(buttons.pause ? 'pause' : 'resume')}</StopRow>
        <StopRow button={stopNow}>{t('stopNow')}</StopRow>
        <StopRow button={buttons.cancel}>{t(`cancel.${act}`)}</StopRow>
        <StopRow
          button={
            job.instanceId === null ? null : (
              <EmergencyStopButtons instanceId={job.instanceId} className="flex-col items-stretch" />
            )
          }
        >
          {stop('text', { file })}
        </StopRow>
      </StopRows>
      {buttons.question}
    </section>
  );
}

/** Rows of buttons with what each does next to it; below it on a phone. */
export function StopRows({ children }: { children: ReactNode }) {
  return (
    <ul className="grid gap-x-4 gap-y-2.5 sm:grid-cols-[max-content_minmax(0,1fr)] sm:items-center">{children}</ul>
  );
}

/** Renders nothing if there is no button. */
export function StopRow({ button, children }: { button: ReactNode; children: ReactNode }) {
  if (button === null) return null;
  return (
    <li className="sm:col-span-2 sm:grid sm:grid-cols-subgrid sm:items-center">
      <div className="grid max-sm:mb-1">{button}</div>
      <p className="text-muted-foreground text-xs [overflow-wrap:anywhere]">{children}</p>
    </li>
  );
}
