import { useCallback, useEffect, useRef, useState } from 'react';
import { onFreshSignInAsked } from '@/components/data/fresh-sign-in';
import { useSession } from '@/components/data/queries/accounts/use-session';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';

const FreshSignInDialog = createLazyPart(() =>
  import('./fresh-sign-in-dialog').then((loaded) => loaded.FreshSignInDialog),
);

const ProviderSignInDialog = createLazyPart(() =>
  import('./provider-sign-in-dialog').then((loaded) => loaded.ProviderSignInDialog),
);

/** Asks for the password again before an action on production. Actions that ask at the same time share one dialog. */
export function FreshSignIn() {
  const provider = useSession().data?.user?.provider;
  const [open, setOpen] = useState(false);
  /** Resolves the promises of the actions that wait for the answer. */
  const waiting = useRef<((confirmed: boolean) => void)[]>([]);
  useEffect(
    () =>
      onFreshSignInAsked(
        () =>
          new Promise((resolve) => {
            waiting.current.push(resolve);
            setOpen(true);
          }),
      ),
    [],
  );
  const close = useCallback((confirmed: boolean) => {
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(confirmed);
  }, []);
  if (!open) return null;
  return provider ? (
    <ProviderSignInDialog provider={provider} onClose={close} />
  ) : (
    <FreshSignInDialog onClose={close} />
  );
}
