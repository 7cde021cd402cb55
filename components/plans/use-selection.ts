'use client';
import { useMemo, useState } from 'react';
import type { Selection } from '@/lib/model/deletion';
import type { KeyRow } from '@/lib/model/snapshot';

const idOf = (row: KeyRow) => `${row.db}:${row.k}`;

/** Which rows are ticked; over pages and orders, until cleared. Rows whose name was too long to keep have no k. */
export function useSelection(snapshotId: string | null) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, KeyRow>>(new Map());
  const selection: Selection | null = useMemo(() => {
    const keys = [...chosen.values()].flatMap((row) => (row.k === null ? [] : [{ k: row.k, db: row.db }]));
    return keys.length === 0 ? null : { by: 'keys', keys, snapshotId };
  }, [chosen, snapshotId]);
  return {
    selection,
    count: chosen.size,
    has: (row: KeyRow) => chosen.has(idOf(row)),
    toggle(rows: readonly KeyRow[], on: boolean) {
      const next = new Map(chosen);
      for (const row of rows) {
        if (on && row.k !== null) next.set(idOf(row), row);
        else next.delete(idOf(row));
      }
      setChosen(next);
    },
    clear: () => setChosen(new Map()),
  };
}
