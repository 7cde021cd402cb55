/**
 * Converts objects to rows and back. A column has the name of its field in snake case (`token_hash` for `tokenHash`).
 * Values stay as they are, except that booleans are stored as 0 and 1; a reader of rows parses booleans and JSON itself.
 */

type FieldName<Column> = Column extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<FieldName<Tail>>}`
  : Column;
type ColumnName<Field> = Field extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnName<Rest>}`
  : Field;

type Fields<Row> = { [Column in keyof Row as FieldName<Column>]: Row[Column] };
type Columns<Given> = {
  [Field in keyof Given as ColumnName<Field>]: Given[Field] extends boolean | undefined ? number : Given[Field];
};

export const toFieldName = (column: string): string =>
  column.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

export const toColumnName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The names of fields by column, because lists convert thousands of rows. */
const fieldNames = new Map<string, string>();

function findFieldName(column: string): string {
  const known = fieldNames.get(column) ?? toFieldName(column);
  fieldNames.set(column, known);
  return known;
}

/** Returns the fields of a row. */
export function fromColumns<Row extends object>(row: Row): Fields<Row> {
  const fields: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) fields[findFieldName(column)] = value;
  return fields as Fields<Row>;
}

/** Returns the columns of an object, without those of fields that are undefined. */
export const toColumns = <Given extends object>(fields: Given): Columns<Given> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [toColumnName(field), typeof value === 'boolean' ? Number(value) : value]),
  ) as Columns<Given>;
