import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useGiveUp } from '@/components/data/queries/use-deletions';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/overlays/dialog';
import type { Instance } from '@/lib/model/servers/instance';

/** Its server is dead for good: what is tombstoned there is given up, so that the instance can be removed. */
export function GiveUpDialog({ instance, onClose }: { instance: Instance; onClose: () => void }) {
  const t = useTranslations('instances.giveUp');
  const ui = useTranslations('ui');
  const errorText = useErrorText();
  const giveUp = useGiveUp(instance.id);
  const [typed, setTyped] = useState('');
  const [agreed, setAgreed] = useState(false);
  const failure = giveUp.error ? errorText(giveUp.error) : null;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t('title', { name: instance.name })}
        description={t('text')}
        footer={
          <>
            <DialogClose asChild>
              <Button>{ui('cancel')}</Button>
            </DialogClose>
            <Button
              variant="danger"
              disabled={typed !== instance.name || !agreed}
              busy={giveUp.isPending}
              onClick={() => giveUp.mutate({ confirm: typed, consents: ['set_aside_lost'] }, { onSuccess: onClose })}
            >
              {t('confirm')}
            </Button>
          </>
        }
      >
        <div className="space-y-4">
          <label className="flex items-start gap-2.5">
            <input
              type="checkbox"
              className="mt-0.5 size-4 shrink-0 accent-accent-solid"
              checked={agreed}
              onChange={(event) => setAgreed(event.target.checked)}
            />
            <span>{t('consent')}</span>
          </label>
          <Field label={t('type')} hint={<span className="font-mono">{instance.name}</span>}>
            <Input value={typed} onChange={(e) => setTyped(e.target.value)} autoComplete="off" spellCheck={false} />
          </Field>
          {failure ? (
            <Alert tone="danger" title={failure.title}>
              {failure.hint}
            </Alert>
          ) : null}
        </div>
      </DialogContent>
    </Dialog>
  );
}
