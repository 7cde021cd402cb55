import { useEffect, useSyncExternalStore } from 'react';

/** Wait before a failed load is repeated, ms. A restarting server is back soon, and a person waits. */
const AGAIN_MS = 2_000;

/**
 * Loads a part that most visits never open once a person is about to open it. The hook returns null until then, also on
 * the server. A failed load is repeated as long as the part is needed.
 */
export function onDemand<P>(load: () => Promise<P>): (needed: boolean) => P | null {
  let loaded: P | null = null;
  let asked = false;
  let needing = 0;
  const listeners = new Set<() => void>();
  const ask = () => {
    if (asked) return;
    asked = true;
    load().then(
      (parts) => {
        loaded = parts;
        for (const listener of listeners) listener();
      },
      () =>
        setTimeout(() => {
          asked = false;
          if (needing > 0) ask();
        }, AGAIN_MS),
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
      ask();
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
