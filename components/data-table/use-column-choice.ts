import { useMemo, useSyncExternalStore } from 'react';
import { listStored, readStored, subscribeToStored, writeStored } from '@/components/data/kept/browser-storage';

/** Column id → whether the person shows it. A column that is not in it is shown where it fits. */
export type ColumnChoice = Readonly<Record<string, boolean>>;

/** Beginning of the names under which the browser stores choices. */
const PREFIX = 'colonnade.columns.';
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
  const choices = listStored(PREFIX).map((name) => [name.slice(PREFIX.length), parse(readStored(name))] as const);
  return Object.fromEntries(choices.filter(([, choice]) => Object.keys(choice).length > 0));
}

export function chooseColumns(choices: Readonly<Record<string, ColumnChoice>>): void {
  for (const [table, choice] of Object.entries(choices)) writeStored(PREFIX + table, JSON.stringify(choice));
}

/**
 * The columns that a person chose for a table, stored in this browser. The server knows no choice, so the first HTML
 * and the first render in the browser show the columns that fit.
 */
export function useColumnChoice(table: string | undefined) {
  const text = useSyncExternalStore(
    subscribeToStored,
    () => (table === undefined ? '' : readStored(PREFIX + table)),
    () => '',
  );
  const choice = useMemo(() => parse(text), [text]);
  return {
    choice,
    choose: (column: string, on: boolean) =>
      table !== undefined && writeStored(PREFIX + table, JSON.stringify({ ...choice, [column]: on })),
    reset: () => table !== undefined && writeStored(PREFIX + table, ''),
  };
}
