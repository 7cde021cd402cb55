import { useRouter } from 'next/navigation';
import { type ReactNode, useCallback, useTransition } from 'react';
import { UnderwayBar } from './underway-bar';
import { GoContext } from './use-go';

/** Shows the loading bar after useGo until the new page is there. */
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
