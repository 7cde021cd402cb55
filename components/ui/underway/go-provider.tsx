import { useRouter } from 'next/navigation';
import { type ReactNode, useCallback, useTransition } from 'react';
import { UnderwayBar } from './underway-bar';
import { GoContext } from './use-go';

/** Shows the loading bar from a call of the function of useGo until the new page is shown. */
export function GoProvider({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [underway, start] = useTransition();
  const go = useCallback((href: string) => start(() => router.push(href)), [router]);
  return (
    <GoContext value={go}>
      {children}
      {underway ? <UnderwayBar /> : null}
    </GoContext>
  );
}
