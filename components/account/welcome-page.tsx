'use client';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useCheckLink, useOpenLink } from '@/components/data/queries/accounts/use-session';
import { Button } from '@/components/ui/button';
import { Card, CardBody } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { UserNameInput } from '@/components/ui/forms/user-name-input';
import { Skeleton } from '@/components/ui/skeleton';
import { NewPasswordFields, usePasswordDraft } from './new-password-fields';

/**
 * The page of a one-time link. It creates the first administrator, or sets the password of the person it was made for.
 */
export function WelcomePage() {
  const t = useTranslations('account');
  const [token, setToken] = useState<string | null>(null);
  const check = useCheckLink();
  const open = useOpenLink();
  const [name, setName] = useState('');
  const draft = usePasswordDraft();
  const begun = useRef(false);
  const { mutate } = check;
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const found = window.location.hash.slice(1);
    // Remove the token from the address, because addresses stay in the browser's history.
    window.history.replaceState(null, '', window.location.pathname);
    setToken(found);
    mutate(found);
  }, [mutate]);
  const failed = check.error ?? open.error;
  const first = check.data?.name === null;
  return (
    <Card>
      <CardBody className="space-y-5 p-6">
        <h1 className="font-semibold text-xl tracking-tight">{t(first ? 'firstAdmin' : 'welcome')}</h1>
        <ErrorAlert error={failed} />
        {check.isPending || token === null ? <Skeleton className="h-40 rounded-lg" /> : null}
        {check.data ? (
          <form
            method="post"
            className="space-y-4"
            onSubmit={(event) => {
              event.preventDefault();
              if (!draft.ready || open.isPending || open.isSuccess) return;
              open.mutate(
                { token: token ?? '', password: draft.password, ...(first && { name: name.trim() }) },
                { onSuccess: () => window.location.assign('/') },
              );
            }}
          >
            <p className="text-muted-foreground">
              {t(first ? 'firstAdminText' : 'welcomeText', { name: check.data.name ?? '' })}
            </p>
            {first ? (
              <Field label={t('name')} hint={t('nameHint')}>
                <UserNameInput value={name} onValueChange={setName} />
              </Field>
            ) : null}
            <NewPasswordFields draft={draft} />
            <Button
              type="submit"
              variant="primary"
              size="lg"
              className="w-full"
              disabled={!draft.ready || (first && name.trim() === '')}
              busy={open.isPending || open.isSuccess}
            >
              {t('setPassword')}
            </Button>
          </form>
        ) : null}
      </CardBody>
    </Card>
  );
}
