import { useSyncExternalStore } from 'react';

const subscribeNever = () => () => {};

/** false on the server and during hydration: content that depends on the reader's browser may not be shown yet. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeNever,
    () => true,
    () => false,
  );
}
