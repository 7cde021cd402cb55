import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError } from '@/components/data/api-error';
import { useConfirmSignIn, useSession } from '@/components/data/queries/use-session';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';

export function FreshSignInDialog({ onClose }: { onClose: (given: boolean) => void }) {
  const t = useTranslations('account');
  const ui = useTranslations('ui');
  const errorText = useErrorText();
  const name = useSession().data?.user?.name ?? '';
  const confirm = useConfirmSignIn();
  const [password, setPassword] = useState('');
  const wrong = confirm.error instanceof ApiError && confirm.error.code === 'wrong_credentials';
  const failed = confirm.error && !wrong ? errorText(confirm.error) : null;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose(false)}>
      <DialogContent
        title={t('fresh.title')}
        description={t('fresh.text', { name })}
        className="max-w-md"
        onSubmit={() => {
          if (password === '' || confirm.isPending) return;
          confirm.mutate(password, { onSuccess: () => onClose(true), onError: () => setPassword('') });
        }}
        footer={
          <>
            <Button type="button" onClick={() => onClose(false)}>
              {ui('cancel')}
            </Button>
            <Button type="submit" variant="primary" busy={confirm.isPending} disabled={password === ''}>
              {t('fresh.confirm')}
            </Button>
          </>
        }
      >
        <div className="space-y-4">
          {failed ? (
            <Alert tone="danger" title={failed.title}>
              {failed.hint}
            </Alert>
          ) : null}
          <Field label={t('password')} error={wrong ? t('fresh.wrong') : undefined}>
            <Input
              name="password"
              type="password"
              autoComplete="current-password"
              required
              maxLength={256}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
        </div>
      </DialogContent>
    </Dialog>
  );
}
