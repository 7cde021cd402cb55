import { usePathname } from 'next/navigation';
import { useKeptState } from '@/components/data/kept/use-kept-state';

const FIRST: readonly string[] = [];

/**
 * Pages over opaque cursors: one can only go on from an answer, so the way back is a stack. Begins anew where something
 * else is asked (`key`), and goes on where it was when somebody comes back to the page. Not in the URL: a cursor
 * belongs to one answer of one snapshot.
 */
export function usePages(key: string) {
  const [cursors, setCursors] = useKeptState(`pages ${usePathname()} ${key}`, FIRST);
  return {
    cursor: cursors.at(-1),
    page: cursors.length,
    next: (cursor: string) => setCursors((list) => [...list, cursor]),
    first: () => setCursors(FIRST),
    previous: () => setCursors((list) => list.slice(0, -1)),
  };
}
