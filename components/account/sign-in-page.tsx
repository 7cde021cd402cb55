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

/** `next`: a path of this server, checked there. `problem`: with what a browser came back from a provider. */
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
        {/* What a person or a password manager filled in before the page was taken over stands in the fields alone. */}
        {/* Sent before the page is taken over it is refused; by GET the password would stand in the address. */}
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
                // Anew from the server: nothing of who was here before stays in the memory of the page.
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
