/** Compares numbers by size, everything else as text with numbers by value: `a2` before `a10`. */
export function createValueComparison(lang: string): (one: unknown, other: unknown) => number {
  const { compare } = new Intl.Collator(lang, { numeric: true });
  return (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? one - other : compare(String(one), String(other));
}

/** Groups rows, which keep their order within a group; groups are sorted by name, '' last. */
export function groupRows<Row>(rows: readonly Row[], getGroup: (row: Row) => string, lang: string): Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const name = getGroup(row);
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  const compare = createValueComparison(lang);
  const names = [...groups.keys()].sort((a, b) => Number(a === '') - Number(b === '') || compare(a, b));
  return names.flatMap((name) => groups.get(name) ?? []);
}
