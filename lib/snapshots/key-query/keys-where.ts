import type { KeyFilter } from '@/lib/model/filter';
import { placedSql, sealedSql } from '@/lib/snapshots/query/columns';
import type { FileBounds } from '@/lib/snapshots/query/file-bounds';
import type { Source } from '@/lib/snapshots/query/with-source';
import { type AskedAbout, filterWhere } from './filter-where';
import { nextPrefix } from './next-prefix';
import { Where } from './where-clause';

/** The rows of a query: `keys` is the text after FROM, `where` is its WHERE clause. */
export interface AskedKeys {
  keys: string;
  where: Where;
}

/** What is known about the files of a snapshot besides their names, and what a search means in it. */
export type BoundedSource = Source & { bounds?: readonly FileBounds[] | null } & Pick<
    AskedAbout,
    'searched' | 'isAlone'
  >;

/**
 * The keys of a query with a prefix, limited to the sealed files that can contain some. For a file that contains
 * nothing else no name is compared, so a report without names reads none: they are by far the widest column. The rows
 * have no order unless `inOrder` (of names) is set. `places`: adds the column of `placedSql` for sealed files, limited
 * to the files in `bounds`.
 * @param make Returns the whole WHERE clause of the query, a new one at each call. For rows that are `inPrefix` it
 * compares no prefix.
 */
export function keysWhere(
  source: BoundedSource,
  make: (about: Pick<AskedAbout, 'inPrefix'>) => Where,
  { inOrder = false, places = false } = {},
): AskedKeys {
  const where = make({});
  const { dir, manifest } = source;
  const sealed = (files: readonly string[]) =>
    places ? placedSql(dir, manifest, files) : sealedSql(dir, { ...manifest, files: [...files] });
  if (!source.bounds || where.prefixes.length === 0)
    return {
      keys: places ? `(${sealed(source.bounds?.map(({ file }) => file) ?? manifest.files)})` : source.keys,
      where,
    };
  const spans = where.prefixes.map(spanOf);
  const met = filesMet(source.bounds, where.prefixes);
  const inside = met.filter((file) => spans.every((span) => lies(file, span)));
  const border = met.filter((file) => !inside.includes(file));
  const rows = (files: readonly FileBounds[]) => `SELECT * FROM (${sealed(files.map(({ file }) => file))})`;
  if (met.length === 0) return { keys: `(${rows(source.bounds.slice(0, 1))} WHERE false)`, where };
  if (inside.length === 0 || inOrder) return { keys: `(${rows(met)})`, where };
  const within = make({ inPrefix: true });
  if (border.length === 0) return { keys: `(${rows(inside)})`, where: within };
  const begins = new Where(within.values);
  for (const prefix of where.prefixes) begins.prefix(prefix);
  return { keys: `(${rows(inside)} UNION ALL ${rows(border)} ${begins.sql})`, where: within };
}

/** The keys of a filter. */
export const filteredKeys = (
  source: BoundedSource & Pick<AskedAbout, 'ruleFilter'>,
  filter: KeyFilter & { delimiter?: string | undefined },
  options?: { inOrder?: boolean; places?: boolean },
): AskedKeys => keysWhere(source, (about) => filterWhere(filter, { ...source, ...about }, filter.delimiter), options);

/** The files that can contain names with every one of the prefixes. */
export function filesMet(files: readonly FileBounds[], prefixes: readonly string[]): FileBounds[] {
  const spans = prefixes.map(spanOf);
  return files.filter((file) => spans.every((span) => meets(file, span)));
}

interface Span {
  from: Buffer;
  /** The exclusive end of the range; null: it has no end. */
  before: Buffer | null;
}

function spanOf(prefix: string): Span {
  const next = nextPrefix(prefix);
  return { from: Buffer.from(prefix), before: next === null ? null : Buffer.from(next) };
}

const isBefore = (a: Buffer, b: Buffer) => Buffer.compare(a, b) < 0;
const meets = (file: FileBounds, { from, before }: Span) =>
  !isBefore(file.to, from) && (before === null || isBefore(file.from, before));
const lies = (file: FileBounds, { from, before }: Span) =>
  !isBefore(file.from, from) && (before === null || isBefore(file.to, before));
