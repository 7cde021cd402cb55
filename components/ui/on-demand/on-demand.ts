import { useEffect, useSyncExternalStore } from 'react';

/**
 * What most visits never open is loaded once somebody is about to open it. The hook answers null until then, on the
 * server too; a load that failed is tried again with the next render that needs it.
 */
export function onDemand<P>(load: () => Promise<P>): (needed: boolean) => P | null {
  let loaded: P | null = null;
  let asked = false;
  const listeners = new Set<() => void>();
  const ask = () => {
    if (asked) return;
    asked = true;
    load().then(
      (parts) => {
        loaded = parts;
        for (const listener of listeners) listener();
      },
      () => {
        asked = false;
      },
    );
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return function useOnDemand(needed) {
    useEffect(() => {
      if (needed) ask();
    });
    return useSyncExternalStore(
      subscribe,
      () => (needed ? loaded : null),
      () => null,
    );
  };
}
