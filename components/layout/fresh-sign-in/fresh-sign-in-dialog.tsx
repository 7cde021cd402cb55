import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError } from '@/components/data/api-error';
import { ErrorAlert } from '@/components/data/error-alert';
import { useConfirmSignIn, useSession } from '@/components/data/queries/accounts/use-session';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { PasswordInput } from '@/components/ui/forms/password-input';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';

/** Asks for the password. `onClose` is called with true once it was right, with false if the person gave up. */
export function FreshSignInDialog({ onClose }: { onClose: (confirmed: boolean) => void }) {
  const t = useTranslations('account');
  const ui = useTranslations('ui');
  const name = useSession().data?.user?.name ?? '';
  const confirm = useConfirmSignIn();
  const [password, setPassword] = useState('');
  const isWrong = confirm.error instanceof ApiError && confirm.error.code === 'wrong_credentials';
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
          <ErrorAlert error={isWrong ? null : confirm.error} />
          <Field label={t('password')} error={isWrong ? t('fresh.wrong') : undefined}>
            <PasswordInput value={password} onValueChange={setPassword} />
          </Field>
        </div>
      </DialogContent>
    </Dialog>
  );
}
