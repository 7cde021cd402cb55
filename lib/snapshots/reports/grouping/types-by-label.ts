/** Keys of one type under one label; null: the type is unknown. */
export interface TypeCount extends Record<string, unknown> {
  label: string;
  type: string | null;
  keys: number;
}

/** Returns label → type → keys. The objects have no prototype, because a type may be called `__proto__`. */
export function groupTypesByLabel(counts: readonly TypeCount[]): Map<string, Record<string, number>> {
  const found = new Map<string, Record<string, number>>();
  for (const { label, type, keys } of counts) {
    const types = found.get(label) ?? Object.create(null);
    types[type ?? 'unknown'] = (types[type ?? 'unknown'] ?? 0) + keys;
    found.set(label, types);
  }
  return found;
}

/**
 * Returns for each label the type with most of `measure`; of equal ones the first by name. Labels for which all amounts
 * are 0 have none.
 */
export function findMainTypes<Counted extends { label: string; type: string | null }>(
  counts: readonly Counted[],
  measure: (row: Counted) => number | null,
): Map<string, string> {
  const found = new Map<string, { type: string; amount: number }>();
  for (const row of counts) {
    const [type, amount] = [row.type ?? 'unknown', measure(row) ?? 0];
    const best = found.get(row.label) ?? { type: '', amount: 0 };
    if (amount > best.amount || (amount > 0 && amount === best.amount && type < best.type))
      found.set(row.label, { type, amount });
  }
  return new Map([...found].map(([label, { type }]) => [label, type]));
}
