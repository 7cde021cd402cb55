import { Pause, Play, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { isActive, useJobAction, useJobSpeed } from '@/components/data/queries/use-jobs';
import { useErrorText } from '@/components/data/use-error-text';
import { Button } from '@/components/ui/button';
import { Segmented } from '@/components/ui/forms/segmented';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import { toast } from '@/components/ui/overlays/toast';
import type { Job, Speed } from '@/lib/model/job';
import { JOB_TRANSITIONS } from '@/lib/model/job-states';

const SPEEDS: readonly Speed[] = ['gentle', 'balanced', 'fast'];

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

const ACTS: Partial<Record<NonNullable<Job['progress']>['phase'], Act>> = { restoring: 'restore' };
/** The action that the job performs, as far as the job itself says it. */
const getAct = (job: Job): Act =>
  job.kind === 'deletion' ? ((job.progress && ACTS[job.progress.phase]) ?? 'delete') : 'scan';

/** Speed, pause or resume, and cancel: each is shown only if the job's state allows it. */
export function JobControls({ job, act = getAct(job) }: { job: Job; act?: Act }) {
  const t = useTranslations('scans');
  const errorText = useErrorText();
  const action = useJobAction(job.id);
  const speed = useJobSpeed(job.id);
  const [asking, setAsking] = useState(false);
  const may = useMay('job.control', job.instanceId);
  const onError = (error: unknown) => {
    const { title, hint } = errorText(error);
    toast.error(title, { description: hint });
  };
  const cancel = CANCEL[act];
  const allowed = JOB_TRANSITIONS[job.state];
  const canPause = allowed.includes('pausing') || job.state === 'queued';
  const canResume = job.state === 'paused';
  // A failed job has already ended; abandoning it for good belongs to the job that replaces it.
  const canCancel = job.state !== 'failed' && (allowed.includes('cancelling') || allowed.includes('cancelled'));
  if (!may) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isActive(job) || job.state === 'paused' ? (
        <Segmented
          label={t('live.speed')}
          size="sm"
          value={speed.isPending ? speed.variables : job.speed}
          onValueChange={(next) => speed.mutate(next, { onError })}
          options={SPEEDS.map((s) => ({ value: s, label: t(`speed.${s}.name`), title: t(`speed.${s}.text`) }))}
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
        <Button size="sm" variant="ghost" disabled={action.isPending} onClick={() => setAsking(true)}>
          <X aria-hidden />
          {t(`live.${cancel.label}`)}
        </Button>
      ) : null}
      {asking ? (
        <ConfirmDialog
          title={t(`live.${cancel.title}`)}
          text={t(`live.${cancel.text}`)}
          confirm={t(`live.${cancel.label}`)}
          cancel={t(`live.${cancel.keep}`)}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            action.mutate('cancel', { onError });
          }}
        />
      ) : null}
    </div>
  );
}
