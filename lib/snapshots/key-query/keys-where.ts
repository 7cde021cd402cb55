import type { KeyFilter } from '@/lib/model/filter';
import { placedSql, sealedSql } from '@/lib/snapshots/query/columns';
import type { FileBounds } from '@/lib/snapshots/query/file-bounds';
import type { Source } from '@/lib/snapshots/query/with-source';
import { buildFilterWhere, type FilterContext } from './filter-where';
import { findNextPrefix } from './next-prefix';
import { Where } from './where-clause';

/** The rows of a query: `keys` is the text after FROM, `where` is its WHERE clause. */
export interface SelectedKeys {
  keys: string;
  where: Where;
}

/** Holds what is known about the files of a snapshot besides their names, and what a search means in it. */
export type BoundedSource = Source & { bounds?: readonly FileBounds[] | null } & Pick<FilterContext, 'searched'>;

/**
 * Selects the keys of a query with a prefix from the sealed files that can contain some. In a file that contains
 * nothing else no name is compared, so a report without names reads none: they are by far the widest column. The rows
 * have no order unless `inOrder` (of names) is set. `places`: adds the column of `placedSql` for sealed files.
 * @param buildWhere Returns the whole WHERE clause of the query, a new one at each call. For rows that are `inPrefix`
 * it compares no prefix.
 */
export function selectKeysWhere(
  source: BoundedSource,
  buildWhere: (context: Pick<FilterContext, 'inPrefix'>) => Where,
  { inOrder = false, places = false } = {},
): SelectedKeys {
  const where = buildWhere({});
  const { dir, manifest } = source;
  const selectSealed = (files: readonly string[]) =>
    places ? placedSql(dir, manifest, files) : sealedSql(dir, { ...manifest, files: [...files] });
  if (!source.bounds || where.prefixes.length === 0)
    return { keys: places ? `(${selectSealed(manifest.files)})` : source.keys, where };
  const spans = where.prefixes.map(toSpan);
  const files = source.bounds.filter((file) => spans.every((span) => isOverlapping(file, span)));
  const inside = files.filter((file) => spans.every((span) => isWithin(file, span)));
  const border = files.filter((file) => !inside.includes(file));
  const selectFileRows = (some: readonly FileBounds[]) =>
    `SELECT * FROM (${selectSealed(some.map(({ file }) => file))})`;
  if (files.length === 0) return { keys: `(${selectFileRows(source.bounds.slice(0, 1))} WHERE false)`, where };
  if (inside.length === 0 || inOrder) return { keys: `(${selectFileRows(files)})`, where };
  const within = buildWhere({ inPrefix: true });
  if (border.length === 0) return { keys: `(${selectFileRows(inside)})`, where: within };
  const begins = new Where(within.values);
  for (const prefix of where.prefixes) begins.andBeginsWith(prefix);
  return { keys: `(${selectFileRows(inside)} UNION ALL ${selectFileRows(border)} ${begins.sql})`, where: within };
}

/** Selects the keys of a filter. */
export const selectFilteredKeys = (
  source: BoundedSource & Pick<FilterContext, 'ruleFilter'>,
  filter: KeyFilter & { delimiter?: string | undefined },
  options?: { inOrder?: boolean; places?: boolean },
): SelectedKeys =>
  selectKeysWhere(source, (context) => buildFilterWhere(filter, { ...source, ...context }, filter.delimiter), options);

/** The range of the names that begin with a prefix. */
interface Span {
  from: Buffer;
  /** The exclusive end of the range; null: it has no end. */
  before: Buffer | null;
}

function toSpan(prefix: string): Span {
  const next = findNextPrefix(prefix);
  return { from: Buffer.from(prefix), before: next === null ? null : Buffer.from(next) };
}

const isBefore = (a: Buffer, b: Buffer) => Buffer.compare(a, b) < 0;
const isOverlapping = (file: FileBounds, { from, before }: Span) =>
  !isBefore(file.to, from) && (before === null || isBefore(file.from, before));
const isWithin = (file: FileBounds, { from, before }: Span) =>
  !isBefore(file.from, from) && (before === null || isBefore(file.to, before));
