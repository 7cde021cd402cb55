import { useCallback, useState } from 'react';
import { useHydrated } from '@/components/data/format/use-hydrated';

/** Lists somebody comes back to; older ones begin anew. */
const MAX_KEPT = 50;
const kept = new Map<string, unknown>();

/** undefined: nothing was kept under this name, or it is too long ago. */
export const keptOf = (name: string): unknown => kept.get(name);

export function keep(name: string, value: unknown): void {
  // The newest are the last.
  kept.delete(name);
  kept.set(name, value);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value as string);
}

/** What was kept under names that begin so is kept no more. */
export function forget(beginning: string): void {
  for (const name of [...kept.keys()]) if (name.startsWith(beginning)) kept.delete(name);
}

/**
 * A state that is there again when somebody comes back to the page within this visit (a page of a list, its ticks):
 * whoever looks at one key goes on with the list where they were. `name` says whose it is, and of which question:
 * another name is another state. A page that is loaded anew begins with `initial`, as its HTML does.
 */
export function useKeptState<T>(name: string, initial: T): [T, (next: T | ((old: T) => T)) => void] {
  const hydrated = useHydrated();
  const before = () => (hydrated ? ((keptOf(name) as T | undefined) ?? initial) : initial);
  const [state, setState] = useState(() => ({ name, value: before() }));
  const set = useCallback(
    (next: T | ((old: T) => T)) =>
      setState((old) => {
        const current = old.name === name ? old.value : ((keptOf(name) as T | undefined) ?? initial);
        const value = next instanceof Function ? next(current) : next;
        keep(name, value);
        return { name, value };
      }),
    [name, initial],
  );
  return [state.name === name ? state.value : before(), set];
}
