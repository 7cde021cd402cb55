import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { UNKNOWN_TEXT } from '@/components/data/format/use-format';

/** Id of the table that is being read into a file; null: none. */
let reading: string | null = null;
const listeners = new Set<() => void>();

function setReading(id: string | null): void {
  reading = id;
  for (const onChange of listeners) onChange();
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

/** Whether the table must render all its rows, with exact figures, because it is being read into a file. */
export const useWhole = (id: string | undefined): boolean =>
  useSyncExternalStore(
    subscribe,
    () => id !== undefined && reading === id,
    () => false,
  );

export const findTable = (id: string) =>
  document.querySelector<HTMLTableElement>(`table[data-table="${CSS.escape(id)}"]`);

/**
 * Returns the header and the rows of a table of the page, with the columns that it shows; null: it is not on the page.
 */
export function readTable(id: string): (string | number)[][] | null {
  // Renders all rows at once, with exact figures, and afterwards as before.
  flushSync(() => setReading(id));
  try {
    const table = findTable(id);
    return table && readCells(table);
  } finally {
    setReading(null);
  }
}

function readCells(table: HTMLTableElement): (string | number)[][] {
  const heads = [...table.querySelectorAll('thead th')].map(readVisibleText);
  // Columns of buttons and of checkboxes have no visible header.
  const named = heads.flatMap((head, i) => (head === '' ? [] : [{ head, i }]));
  // Names of groups, notes and the text of an empty table are cells over several columns.
  const rows = [...table.querySelectorAll('tbody > tr')].flatMap(({ children }) =>
    children.length === heads.length ? [[...children]] : [],
  );
  // The unit of a column is that of its first figure that has one.
  const findUnit = (i: number) => rows.map((cells) => findFigure(cells[i]!)?.dataset.unit).find(Boolean);
  return [
    named.map(({ head, i }) => (findUnit(i) ? `${head} (${findUnit(i)})` : head)),
    ...rows.map((cells) => named.map(({ i }) => toCell(cells[i]!))),
  ];
}

/** The exact figure of a cell (components/data/format/value.tsx). */
const findFigure = (cell: Element) => cell.querySelector<HTMLElement>('data[value]');

function toCell(cell: Element): string | number {
  const text = readVisibleText(cell);
  if (text !== '' && text === findFigure(cell)?.getAttribute('value')) return Number(text);
  return text === UNKNOWN_TEXT ? '' : text;
}

/** The visible text of an element, but with names that the page cuts (`data-whole`) and with exact times. */
function readVisibleText(element: Element): string {
  const whole = element instanceof HTMLElement ? element.dataset.whole : undefined;
  if (whole !== undefined) return whole;
  if (element instanceof HTMLTimeElement) return element.dateTime;
  let text = '';
  let isAfterBlock = false;
  for (const node of element.childNodes) {
    if (node instanceof Text) text += node.data;
    if (!(node instanceof HTMLElement) || node.classList.contains('sr-only')) continue;
    const { display } = getComputedStyle(node);
    if (display === 'none') continue;
    const inner = readVisibleText(node);
    if (inner === '') continue;
    const isBlock = !display.startsWith('inline');
    // Spaces within a name stay as they are; a block begins and ends a line of its own.
    if (text !== '' && (isBlock || isAfterBlock)) text = `${text.trimEnd()} · `;
    text += inner;
    isAfterBlock = isBlock;
  }
  return text.trim();
}
