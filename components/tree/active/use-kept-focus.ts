import { type RefObject, useEffect, useLayoutEffect } from 'react';
import type { ActiveNode } from './active-node';

/**
 * Another level, or another page of it, is another table: where the keyboard was in the one before, it comes to the
 * first node of this one, or back to the node it went down, and is not lost with what it was on.
 *
 * @param path Of the level; `isShown`: the rows are those of this level.
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
    // Who has gone on meanwhile stays where they are.
    if (from === null || document.activeElement !== document.body) return;
    const names = [...(table.current?.querySelectorAll<HTMLElement>('[data-node]') ?? [])];
    const name = names.find(({ dataset }) => from !== '' && dataset.node?.startsWith(from)) ?? names[0];
    name?.focus({ preventScroll: true });
  }, [table, active, isShown]);
}
