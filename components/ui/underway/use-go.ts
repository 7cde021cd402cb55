import { useRouter } from 'next/navigation';
import { createContext, useContext } from 'react';

type Go = (href: string) => void;
export const GoContext = createContext<Go | null>(null);

/**
 * Goes to another page from a menu, a chart or after an action, and shows the loading bar as a link does. The menu is
 * closed by then, so GoProvider, which wraps all pages, renders the bar.
 */
export function useGo(): Go {
  const router = useRouter();
  return useContext(GoContext) ?? router.push;
}
