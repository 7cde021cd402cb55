/** Counts per type as plain columns: a histogram() per group would cost three times as much. */
export const CORE_TYPES = ['string', 'hash', 'list', 'set', 'zset', 'stream'] as const;
export type TypeCounts = Record<(typeof CORE_TYPES)[number], number> & { typed: number; keys: number };

export const typeCountsSql = `count(type) AS typed, ${CORE_TYPES.map((t) => `count(*) FILTER (type = '${t}') AS "${t}"`).join(', ')}`;
export const moduleTypeSql = `type NOT IN (${CORE_TYPES.map((t) => `'${t}'`).join(', ')})`;

/** How many keys have a type of a module; those types still have to be named by a query of their own. */
export const moduleKeys = (row: TypeCounts) => row.typed - CORE_TYPES.reduce((n, type) => n + row[type], 0);

/** Without prototype: a type may be called `__proto__`. */
export function typesOf(row: TypeCounts): Record<string, number> {
  const types: Record<string, number> = Object.create(null);
  for (const type of CORE_TYPES) if (row[type] > 0) types[type] = row[type];
  if (row.typed < row.keys) types.unknown = row.keys - row.typed;
  return types;
}
