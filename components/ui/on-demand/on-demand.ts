import { useEffect, useSyncExternalStore } from 'react';

/** A server that restarts is there again soon, and somebody waits. */
const AGAIN_MS = 2_000;

/**
 * What most visits never open is loaded once somebody is about to open it. The hook answers null until then, on the
 * server too; a load that failed is tried again as long as it is needed.
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
