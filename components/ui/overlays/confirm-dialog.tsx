import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Dialog, DialogClose, DialogContent } from './dialog';

/** Asks for confirmation of an action that a person may regret. Closing the dialog in any way means no. */
export function ConfirmDialog(props: {
  title: string;
  text?: string;
  /** Text of the button: what happens, not "OK". */
  confirm: string;
  /** Text instead of "Cancel", where that could mean the action itself. */
  cancel?: string;
  tone?: 'danger' | 'primary';
  disabled?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const t = useTranslations('ui');
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()}>
      <DialogContent
        title={props.title}
        description={props.text}
        footer={
          <>
            <DialogClose asChild>
              <Button>{props.cancel ?? t('cancel')}</Button>
            </DialogClose>
            <Button
              variant={props.tone ?? 'danger'}
              disabled={props.disabled}
              busy={props.busy}
              onClick={props.onConfirm}
            >
              {props.confirm}
            </Button>
          </>
        }
      >
        {props.children}
      </DialogContent>
    </Dialog>
  );
}

/** A word or name that has to be typed, so that nobody confirms by habit. */
export function TypedWord(props: {
  label: ReactNode;
  /** Shown below the field. */
  word?: string;
  value: string;
  onChange: (typed: string) => void;
}) {
  return (
    <Field label={props.label} hint={props.word ? <span className="font-mono">{props.word}</span> : undefined}>
      <Input
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
        autoComplete="off"
        spellCheck={false}
      />
    </Field>
  );
}
