import { Pause, Play, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
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
export const CANCEL = {
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
  expire: {
    label: 'cancelExpire',
    title: 'cancelExpireTitle',
    text: 'cancelExpireText',
    keep: 'cancelExpireKeep',
  },
} as const;

/** Says what the job does, as far as its buttons name it. */
export function getJobAct({ kind, purpose }: Job): keyof typeof CANCEL {
  if (kind !== 'deletion') return 'scan';
  return purpose === 'restore' || purpose === 'expire' ? purpose : 'delete';
}

/** Controls of a job, each null if its state or the person's role does not allow it. */
export interface JobButtons {
  speed: ReactNode;
  pause: ReactNode;
  resume: ReactNode;
  cancel: ReactNode;
  /** The question before a job is cancelled, while it is open. It has to be rendered once. */
  question: ReactNode;
}

export function useJobButtons(job: Job): JobButtons {
  const t = useTranslations('scans');
  const onError = useErrorToast();
  const action = useJobAction(job.id);
  const speed = useJobSpeed(job.id);
  const [confirming, setConfirming] = useState(false);
  const mayControl = useMay('job.control', job.instanceId);
  if (!mayControl) return { speed: null, pause: null, resume: null, cancel: null, question: null };
  const cancel = CANCEL[getJobAct(job)];
  const allowed = JOB_TRANSITIONS[job.state];
  const canPause = allowed.includes('pausing') || job.state === 'queued' || job.state === 'pausing';
  // A failed job has ended for the reader, although the transitions allow cancelling it: the server does that when
  // another job replaces it.
  const canCancel = job.state !== 'failed' && (allowed.includes('cancelling') || allowed.includes('cancelled'));
  return {
    speed: isUnfinished(job) ? (
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
    ) : null,
    pause: canPause ? (
      <Button
        size="sm"
        disabled={action.isPending || job.state === 'pausing'}
        onClick={() => action.mutate('pause', { onError })}
      >
        <Pause aria-hidden />
        {t('live.pause')}
      </Button>
    ) : null,
    resume:
      job.state === 'paused' ? (
        <Button
          size="sm"
          variant="primary"
          disabled={action.isPending}
          onClick={() => action.mutate('resume', { onError })}
        >
          <Play aria-hidden />
          {t('live.resume')}
        </Button>
      ) : null,
    cancel: canCancel ? (
      <Button size="sm" disabled={action.isPending} onClick={() => setConfirming(true)}>
        <X aria-hidden />
        {t(`live.${cancel.label}`)}
      </Button>
    ) : null,
    question: confirming ? (
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
    ) : null,
  };
}

/** Speed, pause or resume, and cancel in one line. */
export function JobControls({ buttons }: { buttons: JobButtons }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      {buttons.speed}
      {buttons.pause}
      {buttons.resume}
      {buttons.cancel}
      {buttons.question}
    </div>
  );
}
