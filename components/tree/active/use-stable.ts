import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * Returns the same function on every render, which calls the newest `does`. It is for props of memoized components. It
 * may be called by events only, never while rendering.
 */
export function useStable<A extends unknown[], T>(does: (...args: A) => T): (...args: A) => T {
  const newest = useRef(does);
  useLayoutEffect(() => {
    newest.current = does;
  });
  return useCallback((...args: A) => newest.current(...args), []);
}
