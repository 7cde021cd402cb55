import { useSyncExternalStore } from 'react';

/**
 * Which node is marked, in the table and in the treemap, and which row the Tab key reaches. It is not React state of
 * the page: a hover renders only the two affected rows and tiles again.
 */
export interface ActiveNode {
  /** Path of the node that is pointed at or focused by keyboard; null: none. */
  getPath: () => string | null;
  /** Path of the node that was focused by keyboard; null: none so far, so Tab reaches the first. */
  getFocusedPath: () => string | null;
  /** Marks a node by the pointer; the keyboard position does not change. */
  point: (path: string | null) => void;
  /** Marks a node by keyboard. */
  focus: (path: string) => void;
  /** Called when another level is opened: no node is marked or focused any more. */
  clear: () => void;
  /** Called when the table of the level at this path is removed while it has the keyboard focus. */
  rememberLevel: (path: string) => void;
  /** Returns that path once; null: no table had the focus, or the path was already returned. */
  takeRememberedLevel: () => string | null;
  subscribe: (onChange: () => void) => () => void;
}

export function createActiveNode(): ActiveNode {
  let [active, focused]: [string | null, string | null] = [null, null];
  let level: string | null = null;
  const listeners = new Set<() => void>();
  const set = (nextActive: string | null, nextFocused: string | null) => {
    if (nextActive === active && nextFocused === focused) return;
    [active, focused] = [nextActive, nextFocused];
    for (const listener of listeners) listener();
  };
  return {
    getPath: () => active,
    getFocusedPath: () => focused,
    point: (path) => set(path, focused),
    focus: (path) => set(path, path),
    clear: () => set(null, null),
    rememberLevel: (path) => {
      level = path;
    },
    takeRememberedLevel: () => {
      const path = level;
      level = null;
      return path;
    },
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
  };
}

export const useActivePath = (node: ActiveNode): string | null =>
  useSyncExternalStore(node.subscribe, node.getPath, () => null);
