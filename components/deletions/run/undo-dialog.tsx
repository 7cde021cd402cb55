import { useTranslations } from 'use-intl';
import { useUndo } from '@/components/data/queries/use-deletions';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { KeyName } from '@/components/ui/key-name';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/overlays/dialog';

export interface UndoWhat {
  /** null: all that can come back. */
  seq: number | null;
  name: string | null;
}

export function UndoDialog(props: {
  id: string;
  what: UndoWhat;
  /** A deletion that is paused, which ends with it. */
  ends: boolean;
  onClose: () => void;
  /** Another server answers than the keys were removed from: a person looks at both. */
  onCompare: () => void;
}) {
  const { id, what, onClose } = props;
  const t = useTranslations('deletions.result');
  const servers = useTranslations('deletions.server');
  const errorText = useErrorText();
  const undo = useUndo(id);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t('undoTitle')}
        description={t('undoText')}
        footer={
          <>
            <DialogClose asChild>
              <Button>{t('undoNo')}</Button>
            </DialogClose>
            <Button
              variant="primary"
              busy={undo.isPending}
              onClick={() => undo.mutate(what.seq === null ? {} : { items: [what.seq] }, { onSuccess: onClose })}
            >
              {t('undoYes')}
            </Button>
          </>
        }
      >
        {props.ends ? <Alert tone="warning">{t('undoEnds')}</Alert> : null}
        {what.name === null ? null : <KeyName name={what.name} wrap />}
        {undo.error ? (
          <Alert
            tone="danger"
            title={errorText(undo.error).title}
            actions={
              errorText(undo.error).code === 'other_server' ? (
                <Button size="sm" onClick={props.onCompare}>
                  {servers('compare')}
                </Button>
              ) : undefined
            }
          >
            {errorText(undo.error).hint}
          </Alert>
        ) : null}
      </DialogContent>
    </Dialog>
  );
}
