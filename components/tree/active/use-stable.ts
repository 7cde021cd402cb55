import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * Returns the same function on every render, which calls the newest `handler`, for props of memoized components.
 * Only events may call it, because it calls the former handler while rendering.
 */
export function useStable<A extends unknown[], T>(handler: (...args: A) => T): (...args: A) => T {
  const newest = useRef(handler);
  useLayoutEffect(() => {
    newest.current = handler;
  });
  return useCallback((...args: A) => newest.current(...args), []);
}
