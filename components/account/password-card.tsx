import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useChangePassword } from '@/components/data/queries/use-session';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { toast } from '@/components/ui/overlays/toast';
import { NewPasswordFields, usePasswordDraft } from './new-password-fields';

export function PasswordCard() {
  const t = useTranslations('account');
  const errorText = useErrorText();
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
          {change.error ? (
            <Alert tone="danger" title={errorText(change.error).title}>
              {errorText(change.error).hint}
            </Alert>
          ) : null}
          <Field label={t('currentPassword')}>
            <Input
              name="current-password"
              type="password"
              autoComplete="current-password"
              required
              maxLength={256}
              value={current}
              onChange={(event) => setCurrent(event.target.value)}
            />
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
