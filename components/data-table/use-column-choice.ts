import { useMemo, useSyncExternalStore } from 'react';

/** Column id → whether the person shows it. A column that is not in it is shown where it fits. */
export type ColumnChoice = Readonly<Record<string, boolean>>;

/** Beginning of the names under which the browser stores choices. */
const PREFIX = 'colonnade.columns.';
/** Name of the event after a change in this tab. */
const CHANGED = 'colonnade:columns';
/** If the browser stores nothing (private mode, blocked storage), a choice lasts as long as the page. */
const unstored = new Map<string, string>();

function read(table: string): string {
  try {
    return unstored.get(table) ?? localStorage.getItem(PREFIX + table) ?? '';
  } catch {
    return unstored.get(table) ?? '';
  }
}

function write(table: string, choice: ColumnChoice | null): void {
  const text = choice === null ? '' : JSON.stringify(choice);
  unstored.delete(table);
  try {
    if (choice === null) localStorage.removeItem(PREFIX + table);
    else localStorage.setItem(PREFIX + table, text);
  } catch {
    unstored.set(table, text);
  }
  window.dispatchEvent(new Event(CHANGED));
}

/** Other code may write to the storage: text that is not a valid choice counts as no choice. */
function parse(text: string): ColumnChoice {
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, on]) => typeof on === 'boolean'));
  } catch {
    return {};
  }
}

/** The choices of all tables whose columns were chosen in this browser. */
export function readColumnChoices(): Record<string, ColumnChoice> {
  let stored: string[] = [];
  try {
    stored = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    // Storage is blocked: choices made on this page are still known.
  }
  const tables = new Set([...stored.map((key) => key.slice(PREFIX.length)), ...unstored.keys()]);
  const choices = [...tables].map((table) => [table, parse(read(table))] as const);
  return Object.fromEntries(choices.filter(([, choice]) => Object.keys(choice).length > 0));
}

export function chooseColumns(choices: Readonly<Record<string, ColumnChoice>>): void {
  for (const [table, choice] of Object.entries(choices)) write(table, choice);
}

function subscribe(onChange: () => void): () => void {
  // `storage` reports changes in other tabs, CHANGED those in this one.
  window.addEventListener('storage', onChange);
  window.addEventListener(CHANGED, onChange);
  return () => {
    window.removeEventListener('storage', onChange);
    window.removeEventListener(CHANGED, onChange);
  };
}

/**
 * The columns that a person chose for a table, stored in this browser. The server knows no choice, so the first HTML
 * and the first render in the browser show the columns that fit.
 */
export function useColumnChoice(table: string | undefined) {
  const text = useSyncExternalStore(
    subscribe,
    () => (table === undefined ? '' : read(table)),
    () => '',
  );
  const choice = useMemo(() => parse(text), [text]);
  return {
    choice,
    choose: (column: string, on: boolean) => table !== undefined && write(table, { ...choice, [column]: on }),
    reset: () => table !== undefined && write(table, null),
  };
}
