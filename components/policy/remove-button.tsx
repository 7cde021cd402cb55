import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useErrorText } from '@/components/data/use-error-text';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import { toast } from '@/components/ui/overlays/toast';

/** The mutation that deletes an entry by its id. */
export interface Removing {
  mutate(id: string, on: { onError(error: unknown): void; onSettled(): void }): void;
  isPending: boolean;
}

/** Deletes an entry of a list, after a confirmation, because its reason and its end would have to be typed again. */
export function RemoveButton(props: {
  /** A sentence that says what is deleted: the name of the button and the title of the confirmation. */
  label: string;
  /** Says what the deletion causes. */
  text: string;
  remove: Removing;
  id: string;
}) {
  const t = useTranslations('policy.remove');
  const errorText = useErrorText();
  const [confirming, setConfirming] = useState(false);
  const submit = () =>
    props.remove.mutate(props.id, {
      onError: (error) => toast.error(errorText(error).hint),
      onSettled: () => setConfirming(false),
    });
  return (
    <>
      <Button size="iconSm" variant="ghost" aria-label={props.label} onClick={() => setConfirming(true)}>
        <Trash2 aria-hidden />
      </Button>
      {confirming ? (
        <ConfirmDialog
          title={props.label}
          text={props.text}
          confirm={t('now')}
          cancel={t('cancel')}
          busy={props.remove.isPending}
          onClose={() => setConfirming(false)}
          onConfirm={submit}
        />
      ) : null}
    </>
  );
}
