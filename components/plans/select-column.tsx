'use client';
import type { KeyRow } from '@/lib/model/snapshot';
import type { useSelection } from './use-selection';

type Say = (key: 'select' | 'selectAll', values?: { name: string }) => string;

/** The first column of a table whose rows can be ticked. */
export function selectColumn<R extends KeyRow>(
  selection: ReturnType<typeof useSelection>,
  rows: readonly R[],
  say: Say,
) {
  const box = 'size-4 align-middle accent-accent-solid';
  const able = rows.filter((row) => row.k !== null);
  const all = able.length > 0 && able.every(selection.has);
  return {
    id: 'select',
    header: (
      <input
        type="checkbox"
        className={box}
        aria-label={say('selectAll')}
        checked={all}
        onChange={(event) => selection.toggle(able, event.target.checked)}
      />
    ),
    width: 48,
    cell: (row: R) => (
      <input
        type="checkbox"
        className={box}
        aria-label={say('select', { name: row.name })}
        disabled={row.k === null}
        checked={selection.has(row)}
        onChange={(event) => selection.toggle([row], event.target.checked)}
      />
    ),
  };
}
