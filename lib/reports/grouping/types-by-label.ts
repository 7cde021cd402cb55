/** Keys of one type under one label; null: the type is unknown. */
export interface TypeCount extends Record<string, unknown> {
  label: string;
  type: string | null;
  keys: number;
}

/** Label → type → keys. Without prototype: a type may be called `__proto__`. */
export function typesByLabel(counts: readonly TypeCount[]): Map<string, Record<string, number>> {
  const found = new Map<string, Record<string, number>>();
  for (const { label, type, keys } of counts) {
    const types = found.get(label) ?? Object.create(null);
    types[type ?? 'unknown'] = (types[type ?? 'unknown'] ?? 0) + keys;
    found.set(label, types);
  }
  return found;
}
