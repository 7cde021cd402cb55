import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';

/**
 * A form in a dialog: the error of the last attempt, the fields, cancel and save. Enter saves as soon as `ready` is
 * true.
 */
export function EditDialog(props: {
  title: string;
  description: string;
  /** Text of the save button. */
  save: string;
  ready: boolean;
  busy: boolean;
  error: unknown;
  onSave: () => void;
  onClose: () => void;
  returnTo?: { readonly current: HTMLElement | null } | undefined;
  open?: boolean;
  children: ReactNode;
}) {
  const t = useTranslations('ui');
  return (
    <Dialog open={props.open ?? true} onOpenChange={(open) => !open && props.onClose()}>
      <DialogContent
        title={props.title}
        description={props.description}
        onSubmit={() => props.ready && !props.busy && props.onSave()}
        returnTo={props.returnTo}
        footer={
          <>
            <Button onClick={props.onClose}>{t('cancel')}</Button>
            <Button type="submit" variant="primary" busy={props.busy} disabled={!props.ready}>
              {props.save}
            </Button>
          </>
        }
      >
        <div className="space-y-4">
          <ErrorAlert error={props.error} />
          {props.children}
        </div>
      </DialogContent>
    </Dialog>
  );
}
