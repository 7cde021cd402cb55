import dynamic from 'next/dynamic';
import { useEffect, useRef, useState } from 'react';
import { onFreshSignInAsked } from '@/components/data/fresh-sign-in';

const FreshSignInDialog = dynamic(() => import('./fresh-sign-in-dialog').then((loaded) => loaded.FreshSignInDialog), {
  ssr: false,
});

/** The password once more, for an act on production. Acts that ask at the same time share one dialog. */
export function FreshSignIn() {
  const [open, setOpen] = useState(false);
  const waiting = useRef<((given: boolean) => void)[]>([]);
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
  const close = (given: boolean) => {
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(given);
  };
  return open ? <FreshSignInDialog onClose={close} /> : null;
}
