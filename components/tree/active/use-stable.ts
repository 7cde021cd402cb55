import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * The same function on every render, which does what the newest does: for what is handed to parts that are drawn anew
 * only when something they are given is another. To be called by events, never while drawing.
 */
export function useStable<A extends unknown[], T>(does: (...args: A) => T): (...args: A) => T {
  const newest = useRef(does);
  useLayoutEffect(() => {
    newest.current = does;
  });
  return useCallback((...args: A) => newest.current(...args), []);
}
