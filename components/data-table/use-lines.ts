import { type ReactNode, useMemo } from 'react';
import { useLocale } from 'use-intl';
import { groupRows } from '@/lib/model/reports/table-order';
import type { DataTableRow } from './use-data-table';

export interface NamedGroup {
  id: string;
  label: ReactNode;
}

/** One line below the head: a row, or the name of the group that begins there. */
export type TableLine<R extends object> =
  | { id: string; row: DataTableRow<R>; group?: undefined }
  | { id: string; row?: undefined; group: NamedGroup };

/** The rows as sorted. If they are grouped, the rows of one group follow a line with its name. */
export function useLines<R extends object>(
  rows: readonly DataTableRow<R>[],
  getGroup: ((row: R) => NamedGroup) | undefined,
): TableLine<R>[] {
  const locale = useLocale();
  return useMemo((): TableLine<R>[] => {
    if (getGroup === undefined) return rows.map((row) => ({ id: row.id, row }));
    let previous: string | null = null;
    return groupRows(rows, (row) => getGroup(row.original).id, locale).flatMap((row): TableLine<R>[] => {
      const group = getGroup(row.original);
      const line = { id: row.id, row };
      if (group.id === previous) return [line];
      previous = group.id;
      // No row has an id that begins with a NUL character.
      return [{ id: `\u0000group ${group.id}`, group }, line];
    });
  }, [rows, getGroup, locale]);
}
