import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { useKeptState } from '@/components/data/kept/use-kept-state';

const FIRST: readonly string[] = [];

/**
 * Pages over opaque cursors. A cursor comes only with an answer, so the previous pages are a stack. `of`: what is
 * listed (a snapshot), null until it is known; `question`: the query. A reader who returns to the page comes back to
 * the same place. Another query or order starts at the first page, and so does returning to the former query after
 * that. Cursors are not in the URL, because a cursor belongs to one answer of one snapshot.
 */
export function usePages(of: string | null, question: string) {
  const [kept, setCursors] = useKeptState(`pages ${usePathname()} ${of} ${question}`, FIRST);
  const [asked, setAsked] = useState(question);
  // Compared while rendering, not in an effect: an effect would run after the kept page had been requested.
  const cursors = asked === question ? kept : FIRST;
  if (asked !== question) {
    setAsked(question);
    if (kept.length > 0) setCursors(FIRST);
  }
  return {
    cursor: cursors.at(-1),
    page: cursors.length,
    next: (cursor: string) => setCursors((list) => [...list, cursor]),
    first: () => setCursors(FIRST),
    previous: () => setCursors((list) => list.slice(0, -1)),
  };
}
