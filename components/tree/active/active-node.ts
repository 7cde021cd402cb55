import { useSyncExternalStore } from 'react';

/**
 * Which node is marked, in the table and in the treemap, and which row the Tab key comes to. Not a state of the page: a
 * hover draws the two rows and tiles anew that it concerns, nothing else.
 */
export interface ActiveNode {
  /** Pointed at, or come to by keyboard; null: none. */
  path: () => string | null;
  /** Come to by keyboard; null: none so far, which means the first. */
  stop: () => string | null;
  /** By the pointer, which leaves the keyboard where it is. */
  point: (path: string | null) => void;
  /** By keyboard. */
  walk: (path: string) => void;
  /** Another level begins. */
  clear: () => void;
  /** The keyboard was in a table that is no more, of the level at this path. */
  leave: (path: string) => void;
  /** That path, once; null: it was not, or has been asked for. */
  left: () => string | null;
  subscribe: (onChange: () => void) => () => void;
}

export function createActiveNode(): ActiveNode {
  let [active, stop]: [string | null, string | null] = [null, null];
  let from: string | null = null;
  const listeners = new Set<() => void>();
  const set = (nextActive: string | null, nextStop: string | null) => {
    if (nextActive === active && nextStop === stop) return;
    [active, stop] = [nextActive, nextStop];
    for (const listener of listeners) listener();
  };
  return {
    path: () => active,
    stop: () => stop,
    point: (path) => set(path, stop),
    walk: (path) => set(path, path),
    clear: () => set(null, null),
    leave: (path) => {
      from = path;
    },
    left: () => {
      const path = from;
      from = null;
      return path;
    },
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
  };
}

const none = () => null;

export const useActivePath = (node: ActiveNode): string | null => useSyncExternalStore(node.subscribe, node.path, none);
