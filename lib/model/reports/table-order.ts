/**
 * The order of a table's rows, used by the browser and for files. `sort` is the id of a column: `keys` ascending,
 * `-keys` descending, '' or nothing keeps the order of the list. `lang` is the language whose order applies to names.
 */
export interface RowOrder {
  sort?: string | undefined;
  lang?: string | undefined;
}

export type SortValue = string | number | null | undefined;
/** Maps the id of a column to the value it sorts by; null = unknown. */
export type SortValues<Row> = Readonly<Record<string, (row: Row) => SortValue>>;

/** Compares numbers by size, everything else as text with numbers by value: `a2` before `a10`. */
export function valueComparison(lang: string): (one: unknown, other: unknown) => number {
  const { compare } = new Intl.Collator(lang, { numeric: true });
  return (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? one - other : compare(String(one), String(other));
}

/** Sorts rows: unknown values come last in either direction, and equal ones keep their order. */
export function sortRows<Row>(rows: readonly Row[], values: SortValues<Row>, order: RowOrder): Row[] {
  const { sort = '', lang = 'en' } = order;
  const id = sort.replace(/^-/, '');
  const read = Object.hasOwn(values, id) ? values[id] : undefined;
  if (read === undefined) return [...rows];
  const compare = valueComparison(lang);
  const turn = sort.startsWith('-') ? -1 : 1;
  return rows
    .map((row) => ({ row, value: read(row) ?? null }))
    .sort((one, other) => {
      if (one.value === null || other.value === null) return Number(one.value === null) - Number(other.value === null);
      return turn * compare(one.value, other.value);
    })
    .map(({ row }) => row);
}

/** Groups rows, which keep their order within a group; groups are sorted by name, '' last. */
export function inGroups<Row>(rows: readonly Row[], groupOf: (row: Row) => string, lang: string): Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const name = groupOf(row);
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  const compare = valueComparison(lang);
  const names = [...groups.keys()].sort((a, b) => Number(a === '') - Number(b === '') || compare(a, b));
  return names.flatMap((name) => groups.get(name) ?? []);
}

/** The order for a page whose address has this `sort`; a `sort` that is not a column is ignored. */
export const shownOrder = (values: SortValues<never>, sort: string, lang: string): RowOrder =>
  Object.hasOwn(values, sort.replace(/^-/, '')) ? { sort, lang } : {};
