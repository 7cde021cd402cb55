import type { KeyboardEvent } from 'react';

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Keyboard handling of a radio group: arrow keys go to the next or the previous radio and wrap around, Home and End go
 * to the first and the last; Tab stops at one radio only. Returns the radio that now has the focus; null: another key
 * was pressed.
 */
export function rove(event: KeyboardEvent<HTMLElement>): HTMLElement | null {
  const radios = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="radio"]')];
  const index = radios.indexOf(document.activeElement as HTMLElement);
  const step = STEPS[event.key];
  const next =
    event.key === 'Home'
      ? radios[0]
      : event.key === 'End'
        ? radios.at(-1)
        : step !== undefined && index >= 0
          ? radios[(index + step + radios.length) % radios.length]
          : undefined;
  if (!next) return null;
  event.preventDefault();
  next.focus();
  return next;
}

/** The value of the radio that Tab reaches: the chosen one, or the first if none is chosen. */
export const findTabValue = <V>(options: readonly { value: V }[], value: V): V | undefined =>
  (options.find((option) => option.value === value) ?? options[0])?.value;
