import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * One tab stop row in a list of many: Tab goes through the controls of one row and on, the arrow keys take the same
 * control of the row above or below. A row has `data-row`; what is drawn later joins with the next drawing.
 */
const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled)';
const MINE = 'data-roving';

export function useRovingRows(body: RefObject<HTMLElement | null>) {
  const active = useRef<string | null>(null);
  const rowsOf = (place: HTMLElement) => [...place.querySelectorAll<HTMLElement>('[data-row]')];

  function apply(place: HTMLElement) {
    const rows = rowsOf(place);
    const current = rows.find((row) => row.dataset.row === active.current) ?? rows[0];
    for (const row of rows)
      for (const control of row.querySelectorAll<HTMLElement>(CONTROLS)) {
        if (row === current && control.hasAttribute(MINE)) {
          control.removeAttribute(MINE);
          control.removeAttribute('tabindex');
        } else if (row !== current && !control.hasAttribute('tabindex')) {
          control.setAttribute(MINE, '');
          control.tabIndex = -1;
        }
      }
  }

  // After every drawing: rows come and go while the list scrolls.
  useLayoutEffect(() => {
    if (body.current) apply(body.current);
  });

  const rowAt = (target: EventTarget) => (target as HTMLElement).closest<HTMLElement>('[data-row]');
  return {
    onFocus(event: FocusEvent<HTMLElement>) {
      const row = rowAt(event.target);
      if (!row || row.dataset.row === active.current) return;
      active.current = row.dataset.row ?? null;
      apply(event.currentTarget);
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const row = rowAt(event.target);
      if (step === undefined || !row || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey)
        return;
      const rows = rowsOf(event.currentTarget);
      const next = rows[rows.indexOf(row) + step];
      if (!next) return;
      const at = [...row.querySelectorAll(CONTROLS)].indexOf(event.target as HTMLElement);
      const there = next.querySelectorAll<HTMLElement>(CONTROLS);
      (there[at] ?? there[0])?.focus();
      event.preventDefault();
    },
  };
}
