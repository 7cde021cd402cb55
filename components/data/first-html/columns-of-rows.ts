/**
 * Long lists of objects that all have the same fields, column by column: the names of the fields stand there once. A
 * page with five hundred instances is half as long so.
 */
const FEW = 16;

interface Columns {
  $rows: number;
  $columns: Record<string, unknown>;
}
type Fields = Record<string, unknown>;

/** JSON values in, JSON values out. null: it holds what would be taken for columns, and has to be sent as it is. */
export function toColumns(value: unknown): { packed: unknown } | null {
  try {
    return { packed: pack(value) };
  } catch (error) {
    if (error === AMBIGUOUS) return null;
    throw error;
  }
}
const AMBIGUOUS = new Error('A field is named as columns are.');

function pack(value: unknown): unknown {
  if (Array.isArray(value)) return packList(value);
  return isPlain(value) ? mapFields(value, pack) : value;
}

function packList(values: readonly unknown[]): unknown {
  const [first] = values;
  if (values.length < FEW || !isPlain(first)) return values.map(pack);
  const names = Object.keys(first);
  const alike = (value: unknown): value is Fields =>
    isPlain(value) &&
    Object.keys(value).length === names.length &&
    names.every((name) => Object.hasOwn(value, name) && value[name] !== undefined);
  if (names.length === 0 || !values.every(alike)) return values.map(pack);
  const columns = mapFields(first, (_, name) => packList(values.map((value) => value[name])));
  return { $rows: values.length, $columns: columns } satisfies Columns;
}

export function fromColumns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromColumns);
  if (!isPlain(value)) return value;
  if (!isColumns(value)) return mapFields(value, fromColumns);
  const columns = Object.entries(value.$columns).map(([name, column]) => [name, fromColumns(column)] as const);
  return Array.from({ length: value.$rows }, (_, at) =>
    Object.fromEntries(columns.map(([name, column]) => [name, (column as unknown[])[at]])),
  );
}

const isColumns = (value: Fields): value is Fields & Columns => '$columns' in value;

/** Dates and the like say themselves what they are as JSON. */
function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Also a field called __proto__ is one of its own. */
function mapFields(fields: Fields, map: (value: unknown, name: string) => unknown): Fields {
  if ('$columns' in fields) throw AMBIGUOUS;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value, name)]));
}
