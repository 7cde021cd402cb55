import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useErrorText } from '@/components/data/use-error-text';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import { toast } from '@/components/ui/overlays/toast';

export interface Removing {
  mutate(id: string, on: { onError(error: unknown): void; onSettled(): void }): void;
  isPending: boolean;
}

/**
 * Deleting an entry that changes the findings of an instance needs a confirmation: its reason and end would have to be
 * typed again.
 */
export function RemoveButton(props: {
  /** A sentence that says what is deleted: the name of the button and the title of the confirmation. */
  label: string;
  /** What the deletion causes. */
  text: string;
  remove: Removing;
  id: string;
}) {
  const t = useTranslations('policy.remove');
  const errorText = useErrorText();
  const [asking, setAsking] = useState(false);
  const submit = () =>
    props.remove.mutate(props.id, {
      onError: (error) => toast.error(errorText(error).hint),
      onSettled: () => setAsking(false),
    });
  return (
    <>
      <Button size="iconSm" variant="ghost" aria-label={props.label} onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
      </Button>
      {asking ? (
        <ConfirmDialog
          title={props.label}
          text={props.text}
          confirm={t('now')}
          cancel={t('cancel')}
          busy={props.remove.isPending}
          onClose={() => setAsking(false)}
          onConfirm={submit}
        />
      ) : null}
    </>
  );
}
