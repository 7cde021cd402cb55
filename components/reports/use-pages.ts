import { useEffect, useState } from 'react';

/**
 * Pages over opaque cursors: one can only go on from an answer, so the way back is a stack. Starts over whenever what
 * is asked (`key`) changes. Not in the URL: a cursor belongs to one answer of one snapshot.
 */
export function usePages(key: string) {
  const [cursors, setCursors] = useState<string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question begins at its first page
  useEffect(() => setCursors([]), [key]);
  return {
    cursor: cursors.at(-1),
    page: cursors.length,
    next: (cursor: string) => setCursors((list) => [...list, cursor]),
    first: () => setCursors([]),
    previous: () => setCursors((list) => list.slice(0, -1)),
  };
}
