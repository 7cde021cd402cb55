import type { KeyFilter } from '@/lib/model/filter';
import { KINDS, splitPieces } from '@/lib/model/names/written-segment';
import type { FilterPatch } from './filter-params';

/** A folded id in a path, also one that is escaped (`\{int}`) because a name contains it. */
export const FOLDED = new RegExp(`\\{(?:${KINDS.join('|')})\\}`);

interface LevelFilter {
  prefix: string | null;
  template: string | null;
  exact: boolean | null;
  /** 0 for the key with the empty name, because every name begins with an empty prefix. */
  nameBytesMax?: number;
}

/**
 * The filter for a path. A path with folded ids becomes a template, any other a plain prefix (a range on the sorted
 * names). `exact`: only the keys that end at the path, not those that merely begin with it. `within`: the literal
 * prefix of the level that the path was reached from. It keeps narrowing a folded path that does not contain it
 * (`user:1` and `user:{int}`).
 */
export function buildLevelFilter(path: string, exact = false, within: string | null | undefined = null): LevelFilter {
  if (path === '') return { prefix: null, template: null, exact: null, ...(exact && { nameBytesMax: 0 }) };
  if (!FOLDED.test(path)) return { prefix: path, template: null, exact: exact || null };
  return { prefix: isNarrowedWithin(path, within) ? within : null, template: path, exact: exact || null };
}

/** The literal text of a path up to its first id, as names have it. */
export function getLiteralBeginning(path: string): string {
  const [first] = splitPieces(path);
  return first && 'text' in first ? first.text : '';
}

function isNarrowedWithin(path: string, within: string | null | undefined): within is string {
  const literal = getLiteralBeginning(path);
  return within != null && within.length > literal.length && within.startsWith(literal);
}

/**
 * The literal prefix of the current filter, if the folded paths of nodes do not contain it; null: they contain it.
 * Every selection of keys by nodes must add it, otherwise it would include more keys than the tree has counted.
 */
export function findExtraPrefix({ prefix, template }: Pick<KeyFilter, 'prefix' | 'template'>, delimiter: string) {
  if (!prefix) return null;
  if (template) return isNarrowedWithin(template, prefix) ? prefix : null;
  return prefix.endsWith(delimiter) ? null : prefix;
}

/**
 * The change to the current filter that selects the keys which a report counts at a path. For a folded path it has no
 * prefix field, so a merge keeps the literal prefix of the current filter, which keeps narrowing the path (`user:1` and
 * `user:{int}`). `exact`: only the keys that end at the path.
 */
export function buildPathFilterPatch(path: string, { exact }: { exact: boolean }): FilterPatch {
  const { prefix, ...others } = buildLevelFilter(path, exact);
  return others.template === null ? { prefix, ...others } : others;
}
