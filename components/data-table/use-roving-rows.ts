/**
 * Makes a list of many rows one tab stop: Tab goes through the controls of one row and then leaves the list. The arrow
 * keys go to the same control of the row above or below, or to the next control of the row. Every row has `data-row`;
 * rows rendered later are included by the next render. Controls that only explain something on focus (`data-hint`) are
 * reached by arrow keys alone, unless the row has nothing else.
 */

import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';

/** Matches the controls of a row that Tab may reach. */
const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled)';
/** Marks the controls whose `tabindex` was set here. */
const MARK = 'data-roving';
/** Elements that use the arrow keys themselves. */
const TYPED_IN = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]';
const STEPS: Record<string, { rows: number; controls: number }> = {
  ArrowDown: { rows: 1, controls: 0 },
  ArrowUp: { rows: -1, controls: 0 },
  ArrowRight: { rows: 0, controls: 1 },
  ArrowLeft: { rows: 0, controls: -1 },
};

/** Controls in a hidden column cannot be reached. */
const isShown = (control: HTMLElement) => control.checkVisibility?.() ?? true;
const listControls = (row: HTMLElement) => [...row.querySelectorAll<HTMLElement>(CONTROLS)];
const listShownControls = (row: HTMLElement) => listControls(row).filter(isShown);
const listRows = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-row]')];
const findRow = (target: EventTarget) => (target as HTMLElement).closest<HTMLElement>('[data-row]');

/** The controls that Tab stops at in the active row. */
function findTabStops(row: HTMLElement): Set<HTMLElement> {
  const shown = listShownControls(row);
  const acting = shown.filter((control) => control.dataset.hint === undefined);
  return new Set(acting.length > 0 ? acting : shown.slice(0, 1));
}

/** Lets Tab stop at a control or not. A control with a `tabindex` of its own is not changed. */
function setStop(control: HTMLElement, isStop: boolean): void {
  if (isStop && control.hasAttribute(MARK)) {
    control.removeAttribute(MARK);
    control.removeAttribute('tabindex');
  } else if (!isStop && !control.hasAttribute('tabindex')) {
    control.setAttribute(MARK, '');
    control.tabIndex = -1;
  }
}

export function useRovingRows(body: RefObject<HTMLElement | null>) {
  const active = useRef<string | null>(null);

  function apply(list: HTMLElement) {
    const rows = listRows(list);
    const isActive = (row: HTMLElement) => row.dataset.row === active.current && listShownControls(row).length > 0;
    const current = rows.find(isActive) ?? rows.find((row) => listShownControls(row).length > 0);
    for (const row of rows) {
      const stops = row === current ? findTabStops(row) : null;
      for (const control of listControls(row)) setStop(control, stops?.has(control) ?? false);
    }
  }

  // Runs after every render, because rows come and go while the list scrolls.
  useLayoutEffect(() => {
    if (body.current) apply(body.current);
  });

  return {
    /** Id of the row that has the keyboard focus or had it last. */
    activeRow: () => active.current,
    listeners: {
      onFocus(event: FocusEvent<HTMLElement>) {
        const row = findRow(event.target);
        if (!row || row.dataset.row === active.current) return;
        active.current = row.dataset.row ?? null;
        apply(event.currentTarget);
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        const step = STEPS[event.key];
        const target = event.target as HTMLElement;
        const row = findRow(target);
        if (step === undefined || !row || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey)
          return;
        if (target.matches(TYPED_IN)) return;
        if (step.rows !== 0 && isScrolledAway(row, step.rows)) {
          row.scrollIntoView({ block: 'center' });
          event.preventDefault();
          return;
        }
        const at = listShownControls(row).indexOf(target);
        const next =
          step.controls === 0
            ? findInNextRow(event.currentTarget, row, step.rows, at)
            : listShownControls(row)[at + step.controls];
        if (!next) return;
        next.focus();
        event.preventDefault();
      },
    },
  };
}

/** Whether the neighbouring row is not rendered. It is rendered once this row has been scrolled into view. */
const isScrolledAway = (row: HTMLElement, step: number): boolean => {
  const neighbour = step > 0 ? row.nextElementSibling : row.previousElementSibling;
  return neighbour instanceof HTMLElement && neighbour.dataset.space !== undefined;
};

/** The same control in the next row that has any controls, otherwise the first control of that row. */
function findInNextRow(list: HTMLElement, row: HTMLElement, step: number, at: number): HTMLElement | undefined {
  const rows = listRows(list);
  for (let i = rows.indexOf(row) + step; i >= 0 && i < rows.length; i += step) {
    const there = listShownControls(rows[i]!);
    if (there.length > 0) return there[at] ?? there[0];
  }
  return undefined;
}
