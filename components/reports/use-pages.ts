import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { useKeptState } from '@/components/data/kept/use-kept-state';

const FIRST: readonly string[] = [];

/**
 * Pages over opaque cursors: one can only go on from an answer, so the pages before are a stack. `of`: what is listed,
 * as far as it is known yet (a snapshot); `question`: how it is asked. Whoever returns to the page goes on where they
 * were; whoever asks something else, or in another order, begins at the first page, and so does who then asks as
 * before. Not in the URL: a cursor belongs to one answer of one snapshot.
 */
export function usePages(of: string | null, question: string) {
  const [kept, setCursors] = useKeptState(`pages ${usePathname()} ${of} ${question}`, FIRST);
  const [asked, setAsked] = useState(question);
  // At once, not after drawing: by then the page that was kept would have been asked for.
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
