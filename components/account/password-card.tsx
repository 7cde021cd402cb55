import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useChangePassword } from '@/components/data/queries/accounts/use-session';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { PasswordInput } from '@/components/ui/forms/password-input';
import { toast } from '@/components/ui/overlays/toast';
import { NewPasswordFields, usePasswordDraft } from './new-password-fields';

export function PasswordCard() {
  const t = useTranslations('account');
  const change = useChangePassword();
  const [current, setCurrent] = useState('');
  const draft = usePasswordDraft();
  return (
    <Card>
      <CardHeader title={t('changePassword')} description={t('changePasswordText')} />
      <CardBody>
        <form
          method="post"
          className="max-w-md space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (!draft.ready) return;
            change.mutate(
              { current, next: draft.password },
              {
                onSuccess: () => {
                  setCurrent('');
                  draft.clear();
                  toast.success(t('passwordChanged'));
                },
              },
            );
          }}
        >
          <ErrorAlert error={change.error} />
          <Field label={t('currentPassword')}>
            <PasswordInput name="current-password" value={current} onValueChange={setCurrent} />
          </Field>
          <NewPasswordFields draft={draft} />
          <Button type="submit" variant="primary" busy={change.isPending} disabled={!draft.ready || current === ''}>
            {t('changePassword')}
          </Button>
        </form>
      </CardBody>
    </Card>
  );
}
