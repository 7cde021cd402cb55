'use client';
import { useTranslations } from 'use-intl';
import { useUndo } from '@/components/data/use-deletions';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/dialog';
import { KeyName } from '@/components/ui/key-name';

export interface UndoWhat {
  /** null: all that can come back. */
  seq: number | null;
  name: string | null;
}

export function UndoDialog(props: {
  id: string;
  what: UndoWhat;
  /** A removal that is paused, which ends with it. */
  ends: boolean;
  onClose: () => void;
}) {
  const { id, what, onClose } = props;
  const t = useTranslations('deletions.result');
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
          <Alert tone="danger" title={errorText(undo.error).title}>
            {errorText(undo.error).hint}
          </Alert>
        ) : null}
      </DialogContent>
    </Dialog>
  );
}
