'use client';
import { useTranslations } from 'use-intl';
import { ApiError } from '@/components/data/api-error';
import { ErrorAlert } from '@/components/data/error-alert';
import { useSignIn } from '@/components/data/queries/accounts/use-session';
import { Button } from '@/components/ui/button';
import { Card, CardBody } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { PasswordInput } from '@/components/ui/forms/password-input';
import { UserNameInput } from '@/components/ui/forms/user-name-input';
import type { ShownProvider } from '@/lib/model/accounts/oidc';
import type { ErrorCode } from '@/lib/model/errors';
import { ProviderButtons } from './provider-buttons';

/**
 * `next`: a path of this server, checked by the server. `problem`: the error that a browser came back with from a
 * provider.
 */
export function SignInPage(props: {
  next: string;
  providers: ShownProvider[];
  problem: { code: ErrorCode; provider: string } | null;
}) {
  const { next, providers, problem } = props;
  const t = useTranslations('account');
  const signIn = useSignIn();
  const back = problem && new ApiError(problem.code, 0, '', { provider: problem.provider });
  const error = signIn.error ?? (signIn.isIdle ? back : null);
  return (
    <Card>
      <CardBody className="space-y-5 p-6">
        <h1 className="font-semibold text-xl tracking-tight">{t('signIn')}</h1>
        <ErrorAlert error={error} />
        {providers.length > 0 ? <ProviderButtons providers={providers} next={next} /> : null}
        {/* Values that a person or a password manager filled in before hydration exist only in the fields, so the form
           reads the fields. */}
        {/* A form sent before hydration is refused. With GET the password would appear in the address. */}
        <form
          method="post"
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (signIn.isPending || signIn.isSuccess) return;
            const form = event.currentTarget;
            const fields = new FormData(form);
            const [name, password] = ['username', 'password'].map((field) => String(fields.get(field) ?? ''));
            signIn.mutate(
              { name: name!, password: password! },
              {
                // Loads the page again from the server, so that nothing of the previous session stays in memory.
                onSuccess: () => window.location.assign(next),
                onError: () => {
                  const field = form.elements.namedItem('password');
                  if (field instanceof HTMLInputElement) field.value = '';
                },
              },
            );
          }}
        >
          <Field label={t('name')}>
            <UserNameInput />
          </Field>
          <Field label={t('password')}>
            <PasswordInput />
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
