import type { KeyboardEvent } from 'react';

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * In a group of radios arrow keys go to the next or the one before, around its ends, Home and End to the first and the
 * last; Tab stops at one of them only. Returns the radio that has the focus now, null where the key was another.
 */
export function rove(event: KeyboardEvent<HTMLElement>): HTMLElement | null {
  const radios = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="radio"]:not(:disabled)')];
  const at = radios.indexOf(document.activeElement as HTMLElement);
  const step = STEPS[event.key];
  const next =
    event.key === 'Home'
      ? radios[0]
      : event.key === 'End'
        ? radios.at(-1)
        : step !== undefined && at >= 0
          ? radios[(at + step + radios.length) % radios.length]
          : undefined;
  if (!next) return null;
  event.preventDefault();
  next.focus();
  return next;
}

/** Which of them Tab reaches: the chosen one, or the first where none is. */
export function tabStop<V>(options: readonly { value: V; disabled?: boolean }[], value: V): V | undefined {
  const free = options.filter((option) => !option.disabled);
  return (free.find((option) => option.value === value) ?? free[0])?.value;
}
