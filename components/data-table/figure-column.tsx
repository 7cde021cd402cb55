import { Value, type ValueKind } from '@/components/data/format/value';
import type { DataColumn } from './data-column';

/** A column of figures that sorts by the value it shows: largest first, unknown last and shown as unknown. */
export function createFigureColumn<R>(
  id: string,
  header: string,
  as: ValueKind,
  value: (row: R) => number | null | undefined,
  more: Partial<DataColumn<R>> = {},
): DataColumn<R> {
  return { id, header, num: true, value, cell: (row) => <Value value={value(row)} as={as} />, ...more };
}
