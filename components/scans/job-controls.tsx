import { Pause, Play, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { useJobAction, useJobSpeed } from '@/components/data/queries/use-jobs';
import { useErrorToast } from '@/components/data/use-error-text';
import { Button } from '@/components/ui/button';
import { Segmented } from '@/components/ui/forms/segmented';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import type { Job, Speed } from '@/lib/model/job';
import { isUnfinished, JOB_TRANSITIONS } from '@/lib/model/job-states';

const SPEEDS: readonly Speed[] = ['gentle', 'balanced', 'fast'];

/** Message keys of the cancel button and its question, by what the job does. */
const CANCEL = {
  scan: { label: 'cancel', title: 'cancelTitle', text: 'cancelText', keep: 'cancelKeep' },
  delete: {
    label: 'cancelDeletion',
    title: 'cancelDeletionTitle',
    text: 'cancelDeletionText',
    keep: 'cancelDeletionKeep',
  },
  restore: {
    label: 'cancelRestore',
    title: 'cancelRestoreTitle',
    text: 'cancelRestoreText',
    keep: 'cancelRestoreKeep',
  },
} as const;
type Act = keyof typeof CANCEL;

/** Says what the job does, as far as the job itself shows it. */
const getAct = (job: Job): Act =>
  job.kind !== 'deletion' ? 'scan' : job.progress?.phase === 'restoring' ? 'restore' : 'delete';

/** Speed, pause or resume, and cancel: each is shown only if the job's state allows it. */
export function JobControls({ job, act = getAct(job) }: { job: Job; act?: Act }) {
  const t = useTranslations('scans');
  const onError = useErrorToast();
  const action = useJobAction(job.id);
  const speed = useJobSpeed(job.id);
  const [confirming, setConfirming] = useState(false);
  const mayControl = useMay('job.control', job.instanceId);
  const cancel = CANCEL[act];
  const allowed = JOB_TRANSITIONS[job.state];
  const canPause = allowed.includes('pausing') || job.state === 'queued';
  const canResume = job.state === 'paused';
  // A failed job has ended for the reader, although the transitions allow cancelling it: the server does that when
  // another job replaces it.
  const canCancel = job.state !== 'failed' && (allowed.includes('cancelling') || allowed.includes('cancelled'));
  if (!mayControl) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isUnfinished(job) ? (
        <Segmented
          label={t('live.speed')}
          size="sm"
          value={speed.isPending ? speed.variables : job.speed}
          onValueChange={(next) => speed.mutate(next, { onError })}
          options={SPEEDS.map((value) => ({
            value,
            label: t(`speed.${value}.name`),
            title: t(`speed.${value}.text`),
          }))}
        />
      ) : null}
      {canPause ? (
        <Button
          size="sm"
          disabled={action.isPending || job.state === 'pausing'}
          onClick={() => action.mutate('pause', { onError })}
        >
          <Pause aria-hidden />
          {t('live.pause')}
        </Button>
      ) : null}
      {canResume ? (
        <Button
          size="sm"
          variant="primary"
          disabled={action.isPending}
          onClick={() => action.mutate('resume', { onError })}
        >
          <Play aria-hidden />
          {t('live.resume')}
        </Button>
      ) : null}
      {canCancel ? (
        <Button size="sm" variant="ghost" disabled={action.isPending} onClick={() => setConfirming(true)}>
          <X aria-hidden />
          {t(`live.${cancel.label}`)}
        </Button>
      ) : null}
      {confirming ? (
        <ConfirmDialog
          title={t(`live.${cancel.title}`)}
          text={t(`live.${cancel.text}`)}
          confirm={t(`live.${cancel.label}`)}
          cancel={t(`live.${cancel.keep}`)}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            action.mutate('cancel', { onError });
          }}
        />
      ) : null}
    </div>
  );
}
