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
 * Removing what changes the findings of an instance is asked for once more: reason and end would have to be written
 * anew.
 */
export function RemoveButton(props: {
  /** What is removed, as a sentence: name of the button and title of the question. */
  label: string;
  /** What follows from it. */
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
