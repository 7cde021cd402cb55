/**
 * How the rows of a table are ordered, once for the browser and for files. `sort` is the id of a column: `keys`
 * ascending, `-keys` descending, '' or nothing as the list came. `lang`: in whose order names stand.
 */
export interface RowOrder {
  sort?: string | undefined;
  lang?: string | undefined;
}

export type SortValue = string | number | null | undefined;
/** Id of a column → what it sorts by; null is unknown. */
export type SortValues<Row> = Readonly<Record<string, (row: Row) => SortValue>>;

/** Figures by their size, everything else as people count: `a2` before `a10`. */
export function valueComparison(lang: string): (one: unknown, other: unknown) => number {
  const { compare } = new Intl.Collator(lang, { numeric: true });
  return (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? one - other : compare(String(one), String(other));
}

/** Unknown values last in either direction, equal ones as they came. */
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

/** Rows of one group stand together, as they came; groups in the order of their names, '' last. */
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

/** In which order a page stands whose address says `sort`: what no column sorts by is none. */
export const shownOrder = (values: SortValues<never>, sort: string, lang: string): RowOrder =>
  Object.hasOwn(values, sort.replace(/^-/, '')) ? { sort, lang } : {};
