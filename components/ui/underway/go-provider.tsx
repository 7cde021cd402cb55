import { useRouter } from 'next/navigation';
import { type ReactNode, useCallback, useTransition } from 'react';
import { UnderwayBar } from './underway-bar';
import { GoContext } from './use-go';

/** Whoever goes somewhere by useGo sees the bar of links until the page is there. */
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
