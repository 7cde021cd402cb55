import { useTranslations } from 'use-intl';
import { useUndo } from '@/components/data/queries/use-deletions';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { KeyName } from '@/components/ui/key-name';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';

/** The key to undo, by its number in the plan and its name; both are null for all keys that can be restored. */
export interface UndoWhat {
  seq: number | null;
  name: string | null;
}

export function UndoDialog(props: {
  id: string;
  what: UndoWhat;
  /** The undo ends a paused deletion. */
  ends: boolean;
  /** Every key is still in quarantine. */
  quarantined: boolean;
  onClose: () => void;
  /** Called if another server answers than the one the keys were deleted from: a person compares both. */
  onCompare: () => void;
}) {
  const { id, what, onClose } = props;
  const t = useTranslations('deletions.result');
  const servers = useTranslations('deletions.server');
  const errorText = useErrorText();
  const undo = useUndo(id);
  const failure = undo.error ? errorText(undo.error) : null;
  return (
    <ConfirmDialog
      title={t('undoTitle')}
      text={t(props.quarantined ? 'undoTextQuarantine' : 'undoText')}
      confirm={t('undoYes')}
      cancel={t('undoNo')}
      tone="primary"
      busy={undo.isPending}
      onClose={onClose}
      onConfirm={() => undo.mutate(what.seq === null ? {} : { items: [what.seq] }, { onSuccess: onClose })}
    >
      {props.ends ? <Alert tone="warning">{t('undoEnds')}</Alert> : null}
      {what.name === null ? null : <KeyName name={what.name} wrap />}
      {failure ? (
        <Alert
          tone="danger"
          title={failure.title}
          actions={
            failure.code === 'other_server' ? (
              <Button size="sm" onClick={props.onCompare}>
                {servers('compare')}
              </Button>
            ) : undefined
          }
        >
          {failure.hint}
        </Alert>
      ) : null}
    </ConfirmDialog>
  );
}
