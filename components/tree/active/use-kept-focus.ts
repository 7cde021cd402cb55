import { type RefObject, useEffect, useLayoutEffect } from 'react';
import type { ActiveNode } from './active-node';

/**
 * Another level, or another page of it, is another table. If the keyboard focus was in the former table, it moves to
 * the first node of the new one, or back to the node that was opened before, so that it is not lost.
 * @param path The path of the level. `isShown`: the rows are those of this level.
 */
export function useKeptFocus(
  table: RefObject<HTMLElement | null>,
  { active, path, isShown }: { active: ActiveNode; path: string; isShown: boolean },
): void {
  useLayoutEffect(() => {
    const element = table.current;
    return () => {
      if (element?.contains(document.activeElement)) active.leave(path);
    };
  }, [table, active, path]);
  useEffect(() => {
    if (!isShown) return;
    const from = active.left();
    // If the focus has moved elsewhere meanwhile, leave it there.
    if (from === null || document.activeElement !== document.body) return;
    const names = [...(table.current?.querySelectorAll<HTMLElement>('[data-node]') ?? [])];
    const name = names.find(({ dataset }) => from !== '' && dataset.node?.startsWith(from)) ?? names[0];
    name?.focus({ preventScroll: true });
  }, [table, active, isShown]);
}
