'use client';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSignIn } from '@/components/data/queries/use-session';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';

/** `next`: a path of this server, checked there. */
export function SignInPage({ next }: { next: string }) {
  const t = useTranslations('account');
  const errorText = useErrorText();
  const signIn = useSignIn();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const failed = signIn.error ? errorText(signIn.error) : null;
  return (
    <Card>
      <CardBody className="space-y-5 p-6">
        <h1 className="font-semibold text-xl tracking-tight">{t('signIn')}</h1>
        {failed ? (
          <Alert tone="danger" title={failed.title}>
            {failed.hint}
          </Alert>
        ) : null}
        {/* Sent before the page is taken over it is refused; by GET the password would stand in the address. */}
        <form
          method="post"
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (signIn.isPending || signIn.isSuccess) return;
            signIn.mutate(
              { name, password },
              {
                // Anew from the server: nothing of who was here before stays in the memory of the page.
                onSuccess: () => window.location.assign(next),
                onError: () => setPassword(''),
              },
            );
          }}
        >
          <Field label={t('name')}>
            <Input
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              maxLength={64}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
          <Field label={t('password')}>
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
          <Button
            type="submit"
            variant="primary"
            size="lg"
            className="w-full"
            busy={signIn.isPending || signIn.isSuccess}
          >
            {t('signIn')}
          </Button>
        </form>
        <p className="text-muted-foreground text-xs">{t('lostPassword')}</p>
      </CardBody>
    </Card>
  );
}
