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

/** The page of a one-time link: it creates the first administrator, or sets the password of one account. */
export function WelcomePage() {
  const t = useTranslations('account');
  const [token, setToken] = useState<string | null>(null);
  const check = useCheckLink();
  const openLink = useOpenLink();
  const [name, setName] = useState('');
  const draft = usePasswordDraft();
  const hasChecked = useRef(false);
  const { mutate } = check;
  useEffect(() => {
    if (hasChecked.current) return;
    hasChecked.current = true;
    const linkToken = window.location.hash.slice(1);
    // Remove the token from the address, because addresses stay in the browser's history.
    window.history.replaceState(null, '', window.location.pathname);
    setToken(linkToken);
    mutate(linkToken);
  }, [mutate]);
  const isFirstAdmin = check.data?.name === null;
  return (
    <Card>
      <CardBody className="space-y-5 p-6">
        <h1 className="font-semibold text-xl tracking-tight">{t(isFirstAdmin ? 'firstAdmin' : 'welcome')}</h1>
        <ErrorAlert error={check.error ?? openLink.error} />
        {check.isPending || token === null ? <Skeleton className="h-40 rounded-lg" /> : null}
        {check.data ? (
          <form
            method="post"
            className="space-y-4"
            onSubmit={(event) => {
              event.preventDefault();
              if (!draft.ready || openLink.isPending || openLink.isSuccess) return;
              openLink.mutate(
                { token: token ?? '', password: draft.password, ...(isFirstAdmin && { name: name.trim() }) },
                { onSuccess: () => window.location.assign('/') },
              );
            }}
          >
            <p className="text-muted-foreground">
              {t(isFirstAdmin ? 'firstAdminText' : 'welcomeText', { name: check.data.name ?? '' })}
            </p>
            {isFirstAdmin ? (
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
              disabled={!draft.ready || (isFirstAdmin && name.trim() === '')}
              busy={openLink.isPending || openLink.isSuccess}
            >
              {t('setPassword')}
            </Button>
          </form>
        ) : null}
      </CardBody>
    </Card>
  );
}
