import { useEffect, useSyncExternalStore } from 'react';

/** Wait before a failed load is repeated, ms. It is short, because a person waits and a server restarts in seconds. */
const RETRY_MS = 2_000;

/**
 * Loads a part that most visits never open once a person is about to open it. The hook returns null until then, also on
 * the server. A failed load is repeated as long as the part is needed.
 */
export function onDemand<P>(load: () => Promise<P>): (needed: boolean) => P | null {
  let loaded: P | null = null;
  let isLoading = false;
  /** Number of components that need the part now. */
  let needing = 0;
  const listeners = new Set<() => void>();
  const startLoading = () => {
    if (isLoading) return;
    isLoading = true;
    load().then(
      (parts) => {
        loaded = parts;
        for (const listener of listeners) listener();
      },
      () =>
        setTimeout(() => {
          isLoading = false;
          if (needing > 0) startLoading();
        }, RETRY_MS),
    );
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return function useOnDemand(needed) {
    useEffect(() => {
      if (!needed) return;
      needing++;
      startLoading();
      return () => {
        needing--;
      };
    }, [needed]);
    return useSyncExternalStore(
      subscribe,
      () => (needed ? loaded : null),
      () => null,
    );
  };
}
