import { useCallback, useState } from 'react';
import { useHydrated } from '@/components/data/format/use-hydrated';

/** Number of states that are kept; older ones start from their initial value. */
const MAX_KEPT = 50;
const kept = new Map<string, unknown>();

/** undefined: nothing was kept under this name, or newer states have replaced it. */
export const getKept = (name: string): unknown => kept.get(name);

export function keep(name: string, value: unknown): void {
  // The newest entries are last.
  kept.delete(name);
  kept.set(name, value);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value as string);
}

/** Forgets the states whose names begin with `beginning`. */
export function forget(beginning: string): void {
  for (const name of [...kept.keys()]) if (name.startsWith(beginning)) kept.delete(name);
}

/**
 * A state that survives leaving the page and returning to it within one visit (a page of a list, its selection): a
 * person who looks at one key comes back to the same place in the list. `name` identifies the owner and the query:
 * another name is another state. After a reload the state begins with `initial`, as the HTML does.
 */
export function useKeptState<T>(name: string, initial: T): [T, (next: T | ((old: T) => T)) => void] {
  const hydrated = useHydrated();
  const readInitial = () => (hydrated ? ((getKept(name) as T | undefined) ?? initial) : initial);
  const [state, setState] = useState(() => ({ name, value: readInitial() }));
  const set = useCallback(
    (next: T | ((old: T) => T)) =>
      setState((old) => {
        const current = old.name === name ? old.value : ((getKept(name) as T | undefined) ?? initial);
        const value = next instanceof Function ? next(current) : next;
        keep(name, value);
        return { name, value };
      }),
    [name, initial],
  );
  return [state.name === name ? state.value : readInitial(), set];
}
