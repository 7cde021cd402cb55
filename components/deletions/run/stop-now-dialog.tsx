import { Play, Undo2, X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useEmergencyStopState } from '@/components/data/queries/use-deletions';
import { useJobAction } from '@/components/data/queries/use-jobs';
import { useErrorToast } from '@/components/data/use-error-text';
import { CANCEL, getJobAct } from '@/components/scans/job-controls';
import { StopRow, StopRows } from '@/components/scans/ways-to-stop';
import { Button } from '@/components/ui/button';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/overlays/dialog';
import type { Job } from '@/lib/model/job';
import { isUnfinished } from '@/lib/model/job-states';

/**
 * Asks what to do next after a deletion was stopped. The stop itself was sent when the button was pressed, before this
 * dialog opened.
 */
export function StopNowDialog(props: {
  job: Job;
  /** Why the stop failed; null: it did not. */
  error: unknown;
  /** Opens the dialog of the undo; null: nothing can be undone, or the person may not. */
  onUndo: (() => void) | null;
  onClose: () => void;
}) {
  const { job, onClose } = props;
  const t = useTranslations('deletions.stopNow');
  const ways = useTranslations('deletions.ways');
  const stop = useTranslations('deletions.stop');
  const controls = useTranslations('scans.live');
  const result = useTranslations('deletions.result');
  const action = useJobAction(job.id);
  const onError = useErrorToast();
  const file = useEmergencyStopState().data?.flagFile ?? 'PANIC';
  const act = getJobAct(job);
  const paused = job.state === 'paused';
  const ended = !isUnfinished(job);
  const choose = (next: 'resume' | 'cancel') => {
    onClose();
    action.mutate(next, { onError });
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t(props.error ? 'failed' : ended ? 'ended' : paused ? 'stopped' : 'stopping')}
        description={props.error || ended ? undefined : t('text')}
        footer={
          <DialogClose asChild>
            <Button>{t(paused ? 'leave' : 'close')}</Button>
          </DialogClose>
        }
      >
        {props.error ? (
          <ErrorAlert error={props.error} hint={stop('failed', { file })} />
        ) : ended ? null : (
          <StopRows>
            <StopRow
              button={
                <Button size="sm" variant="primary" disabled={!paused} onClick={() => choose('resume')}>
                  <Play aria-hidden />
                  {controls('resume')}
                </Button>
              }
            >
              {ways('resume')}
            </StopRow>
            <StopRow
              button={
                props.onUndo === null ? null : (
                  <Button size="sm" disabled={!paused} onClick={props.onUndo}>
                    <Undo2 aria-hidden />
                    {result('undo')}
                  </Button>
                )
              }
            >
              {t('undo')}
            </StopRow>
            <StopRow
              button={
                <Button size="sm" className="text-danger" disabled={!paused} onClick={() => choose('cancel')}>
                  <X aria-hidden />
                  {controls(CANCEL[act].label)}
                </Button>
              }
            >
              {act === 'scan' ? null : ways(`cancel.${act}`)}
            </StopRow>
          </StopRows>
        )}
      </DialogContent>
    </Dialog>
  );
}
