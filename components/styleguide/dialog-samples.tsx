import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EditDialog } from '@/components/data/forms/edit-dialog';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { ConfirmDialog, TypedWord } from '@/components/ui/overlays/confirm-dialog';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/overlays/dialog';

/** With a form of its own. */
export function DialogSample() {
  const t = useTranslations('styleguide');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('dialog')}</Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent
          title={t('dialog')}
          description={t('hint')}
          onSubmit={() => setOpen(false)}
          footer={
            <>
              <DialogClose asChild>
                <Button>{t('cancel')}</Button>
              </DialogClose>
              <Button type="submit" variant="primary">
                {t('act')}
              </Button>
            </>
          }
        >
          <Field label={t('field')} hint={t('hint')}>
            <Input defaultValue="user:" />
          </Field>
        </DialogContent>
      </Dialog>
    </>
  );
}

/** What was refused stays open with the reason; nothing is saved before the fields are right. */
export function EditSample() {
  const t = useTranslations('styleguide');
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [error, setError] = useState<object | null>(null);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('form')}</Button>
      {open ? (
        <EditDialog
          title={t('form')}
          description={t('hint')}
          save={t('act')}
          ready={text !== ''}
          busy={false}
          error={error}
          onSave={() => setError({ code: 'conflict', message: t('wrong') })}
          onClose={() => {
            setOpen(false);
            setError(null);
          }}
        >
          <Field label={t('field')}>
            <Input value={text} onChange={(event) => setText(event.target.value)} />
          </Field>
        </EditDialog>
      ) : null}
    </>
  );
}

/** Asks once more, and wants a name typed. */
export function ConfirmSample() {
  const t = useTranslations('styleguide');
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const close = () => {
    setOpen(false);
    setTyped('');
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('confirm')}</Button>
      {open ? (
        <ConfirmDialog
          title={t('confirm')}
          text={t('hint')}
          confirm={t('remove')}
          disabled={typed !== 'mall'}
          onConfirm={close}
          onClose={close}
        >
          <TypedWord label={t('field')} word="mall" value={typed} onChange={setTyped} />
        </ConfirmDialog>
      ) : null}
    </>
  );
}
