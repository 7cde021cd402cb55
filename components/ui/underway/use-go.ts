import { useRouter } from 'next/navigation';
import { createContext, useContext } from 'react';

type Go = (href: string) => void;
export const GoContext = createContext<Go | null>(null);

/**
 * Goes to another page from a menu, a chart or after an act, and shows that it is on its way as a link does. A menu is
 * closed by then, so the bar is drawn by GoProvider, around all pages.
 */
export function useGo(): Go {
  const router = useRouter();
  return useContext(GoContext) ?? router.push;
}
