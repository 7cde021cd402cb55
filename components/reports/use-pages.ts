import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { useKeptState } from '@/components/data/kept/use-kept-state';
import { buildOffsetCursor } from '@/lib/model/reports/offset-cursor';

const FIRST: readonly string[] = [];

/**
 * Pages over opaque cursors. A cursor comes only with an answer, so the previous pages are a stack. `source`: id of
 * what is listed (a snapshot), null until it is known; `query`: filter and order as text. A reader who returns to the
 * page comes back to the same place. Another query starts at the first page, and so does returning to the former query
 * after that. Cursors are not in the URL, because a cursor belongs to one answer of one snapshot.
 */
export function usePages(source: string | null, query: string) {
  const [kept, setCursors] = useKeptState(`pages ${usePathname()} ${source} ${query}`, FIRST);
  const [lastQuery, setLastQuery] = useState(query);
  // Compared while rendering, not in an effect: an effect would run after the kept page had been requested.
  const cursors = lastQuery === query ? kept : FIRST;
  if (lastQuery !== query) {
    setLastQuery(query);
    if (kept.length > 0) setCursors(FIRST);
  }
  return {
    cursor: cursors.at(-1),
    page: cursors.length,
    next: (cursor: string) => setCursors((list) => [...list, cursor]),
    first: () => setCursors(FIRST),
    previous: () => setCursors((list) => list.slice(0, -1)),
    /** Opens a page by its index, in lists whose cursors are offsets. */
    jump: (page: number, pageSize: number) =>
      setCursors(Array.from({ length: page }, (_, i) => buildOffsetCursor((i + 1) * pageSize))),
  };
}
