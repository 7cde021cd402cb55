import { usePathname } from 'next/navigation';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { decodeK } from '@/components/data/format/format-k';
import { useKeptState } from '@/components/data/kept/use-kept-state';
import type { Selection } from '@/lib/model/deletions/plan-request';
import type { Totals } from '@/lib/model/reports/reports';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';

const toRowId = (row: KeyRow) => `${row.db}:${row.k}`;

const NONE: ReadonlyMap<string, KeyRow> = new Map();

/**
 * The selected rows. The selection spans pages and sort orders, and lasts until it is cleared or planned, also while
 * one of its keys is opened. Rows whose name was too long to keep have no k.
 */
export function useSelection(snapshotId: string | null) {
  const t = useTranslations('deletions.new');
  const [rows, setRows] = useKeptState(`ticks ${usePathname()} ${snapshotId}`, NONE);
  const selection: Selection | null = useMemo(() => {
    const keys = [...rows.values()].flatMap((row) => (row.k === null ? [] : [{ k: row.k, db: row.db }]));
    return keys.length === 0 ? null : { by: 'keys', keys, snapshotId };
  }, [rows, snapshotId]);
  const totals = useMemo((): Totals => {
    const sizes = [...rows.values()].map(({ bytes }) => bytes);
    return {
      keys: sizes.length,
      bytes: sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0),
      bytesUnknown: sizes.filter((bytes) => bytes === null).length,
    };
  }, [rows]);
  const chosen = useMemo(() => new Set(rows.keys()), [rows]);
  return {
    snapshotId,
    selection,
    count: rows.size,
    totals,
    has: (row: KeyRow) => rows.has(toRowId(row)),
    names: () => [...rows.values()].flatMap((row) => (row.k === null ? [] : [decodeK(row.k)])),
    clear: () => setRows(NONE),
    /** The selection as the table of keys takes it. */
    table: {
      chosen,
      can: (row: KeyRow) => row.k !== null,
      label: (row: KeyRow) => t('select', { name: row.name }),
      labelAll: t('selectAll'),
      onToggle: (these: readonly KeyRow[], on: boolean) =>
        setRows((old) => {
          const next = new Map(old);
          for (const row of these) {
            if (on && row.k !== null) next.set(toRowId(row), row);
            else next.delete(toRowId(row));
          }
          return next;
        }),
    },
  };
}
