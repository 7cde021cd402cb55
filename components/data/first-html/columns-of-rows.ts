/**
 * Long lists of objects that all have the same fields, column by column: the names of the fields stand there once, and
 * so does a value that all rows have. A page with five hundred instances is a third as long so.
 */
const FEW = 16;

/** `$nulls`: which rows are null; the columns are those of the others. */
interface Columns {
  $rows: number;
  $nulls: number[];
  $columns: Record<string, unknown>;
}
/** One value for all rows. */
interface Same {
  $rows: number;
  $same: unknown;
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
  if (values.length >= FEW && isSimple(first) && values.every((value) => value === first))
    return { $rows: values.length, $same: first } satisfies Same;
  // Thousands of numbers: as they are, and not one by one.
  if (values.every(isSimple)) return values;
  if (values.length < FEW) return values.map(pack);
  const present = values.filter((value) => value !== null);
  const names = isPlain(present[0]) ? Object.keys(present[0]) : [];
  const alike = (value: unknown): value is Fields =>
    isPlain(value) &&
    Object.keys(value).length === names.length &&
    names.every((name) => Object.hasOwn(value, name) && value[name] !== undefined);
  if (names.length === 0 || present.length < FEW || !present.every(alike)) return values.map(pack);
  const columns = mapFields(present[0]!, (_, name) => packList(present.map((value) => value[name])));
  const nulls = values.flatMap((value, at) => (value === null ? [at] : []));
  return { $rows: values.length, $columns: columns, $nulls: nulls } satisfies Columns;
}

export function fromColumns(value: unknown): unknown {
  if (Array.isArray(value)) return value.every(isSimple) ? value : value.map(fromColumns);
  if (!isPlain(value)) return value;
  if (isSame(value)) return Array.from({ length: value.$rows }, () => value.$same);
  if (!isColumns(value)) return mapFields(value, fromColumns);
  const columns = Object.entries(value.$columns).map(([name, column]) => [name, fromColumns(column)] as const);
  const nulls = new Set(value.$nulls);
  let row = -1;
  return Array.from({ length: value.$rows }, (_, at) => {
    if (nulls.has(at)) return null;
    row += 1;
    return Object.fromEntries(columns.map(([name, column]) => [name, (column as unknown[])[row]]));
  });
}

const isColumns = (value: Fields): value is Fields & Columns => '$columns' in value;
const isSame = (value: Fields): value is Fields & Same => '$same' in value;

/** As JSON knows them: not those that it leaves out or writes as another. */
const isSimple = (value: unknown) =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** Dates and the like say themselves what they are as JSON. */
function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Also a field called __proto__ is one of its own. */
function mapFields(fields: Fields, map: (value: unknown, name: string) => unknown): Fields {
  if ('$columns' in fields || '$same' in fields) throw AMBIGUOUS;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value, name)]));
}
