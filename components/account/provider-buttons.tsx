import { LogIn } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useHydrated } from '@/components/data/format/use-hydrated';
import { useBeginProviderSignIn } from '@/components/data/queries/accounts/use-providers';
import { Button } from '@/components/ui/button';
import type { ShownProvider } from '@/lib/model/accounts/oidc';

/**
 * One button per identity provider. If a provider cannot be reached, the error is shown here; signing in with a
 * password is still possible.
 */
export function ProviderButtons({ providers, next }: { providers: ShownProvider[]; next: string }) {
  const t = useTranslations('account');
  const begin = useBeginProviderSignIn();
  const busy = begin.isPending || begin.isSuccess;
  // Before hydration a click would have no effect.
  const hydrated = useHydrated();
  return (
    <div className="space-y-3">
      <ErrorAlert error={begin.error} />
      {providers.map(({ id, label }) => (
        <Button
          key={id}
          size="lg"
          className="w-full"
          disabled={busy || !hydrated}
          busy={busy && begin.variables?.id === id}
          onClick={() =>
            begin.mutate(
              { id, next, purpose: 'sign-in' },
              { onSuccess: ({ location }) => window.location.assign(location) },
            )
          }
        >
          <LogIn aria-hidden />
          {t('withProvider', { label })}
        </Button>
      ))}
      <p className="flex items-center gap-3 text-muted-foreground text-xs before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
        {t('orPassword')}
      </p>
    </div>
  );
}
