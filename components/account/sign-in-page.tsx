'use client';
import { useTranslations } from 'use-intl';
import { ApiError } from '@/components/data/api-error';
import { ErrorAlert } from '@/components/data/error-alert';
import { useSignIn } from '@/components/data/queries/accounts/use-session';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { PasswordInput } from '@/components/ui/forms/password-input';
import { UserNameInput } from '@/components/ui/forms/user-name-input';
import type { ShownProvider } from '@/lib/model/accounts/oidc';
import type { ErrorCode } from '@/lib/model/errors';
import { ProviderButtons } from './provider-buttons';

export function SignInPage(props: {
  /** The page to open after the sign-in: a path of this server, which the server has checked. */
  next: string;
  providers: ShownProvider[];
  /** The error of a sign-in at a provider that has just failed; null: none. */
  problem: { code: ErrorCode; provider: string } | null;
  /** Whether the person was signed in until now. */
  hasEnded: boolean;
  /** Whether there is no account yet. */
  isFirstStart: boolean;
}) {
  const { next, providers, problem, hasEnded, isFirstStart } = props;
  const t = useTranslations('account');
  const signIn = useSignIn();
  const providerError = problem && new ApiError(problem.code, 0, '', { provider: problem.provider });
  const error = signIn.error ?? (signIn.isIdle ? providerError : null);
  return (
    <Card>
      <CardBody className="space-y-5 p-6">
        <h1 className="font-semibold text-xl tracking-tight">{t('signIn')}</h1>
        {hasEnded && !error ? <Alert tone="info">{t('sessionEnded')}</Alert> : null}
        {isFirstStart ? (
          <Alert tone="info" title={t('noAccounts')}>
            {t('noAccountsText')}
          </Alert>
        ) : null}
        <ErrorAlert error={error} />
        {providers.length > 0 ? <ProviderButtons providers={providers} next={next} /> : null}
        {isFirstStart ? null : <PasswordForm signIn={signIn} next={next} />}
        {isFirstStart ? null : <p className="text-muted-foreground text-xs">{t('lostPassword')}</p>}
      </CardBody>
    </Card>
  );
}

/**
 * Texts that a person or a password manager filled in before hydration exist only in the fields, so the form reads the
 * fields. A form that is sent before hydration is refused; it is a POST, because a GET would show the password in the
 * address.
 */
function PasswordForm({ signIn, next }: { signIn: ReturnType<typeof useSignIn>; next: string }) {
  const t = useTranslations('account');
  return (
    <form
      method="post"
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (signIn.isPending || signIn.isSuccess) return;
        const form = event.currentTarget;
        const fields = new FormData(form);
        signIn.mutate(
          { name: String(fields.get('username') ?? ''), password: String(fields.get('password') ?? '') },
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
      <Button type="submit" variant="primary" size="lg" className="w-full" busy={signIn.isPending || signIn.isSuccess}>
        {t('signIn')}
      </Button>
    </form>
  );
}
