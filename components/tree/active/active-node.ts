import { useSyncExternalStore } from 'react';

/**
 * Which node is marked, in the table and in the treemap, and which row the Tab key reaches. It is not React state of
 * the page: a hover renders only the two affected rows and tiles again.
 */
export interface ActiveNode {
  /** Path of the node that is pointed at or focused by keyboard; null: none. */
  path: () => string | null;
  /** Path of the node that was focused by keyboard; null: none so far, so Tab reaches the first. */
  stop: () => string | null;
  /** Marks a node by the pointer; the keyboard position does not change. */
  point: (path: string | null) => void;
  /** Marks a node by keyboard. */
  walk: (path: string) => void;
  /** Called when another level is opened: no node is marked or focused any more. */
  clear: () => void;
  /** Called when the table of the level at this path is removed while it has the keyboard focus. */
  leave: (path: string) => void;
  /** Returns that path once; null: no table had the focus, or the path was already returned. */
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

const returnNull = () => null;

export const useActivePath = (node: ActiveNode): string | null =>
  useSyncExternalStore(node.subscribe, node.path, returnNull);
