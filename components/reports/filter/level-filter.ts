import type { KeyFilter } from '@/lib/model/filter';
import { KINDS, piecesOf } from '@/lib/model/names/written-segment';
import type { FilterPatch } from './filter-params';

const FOLDED = new RegExp(`\\{(?:${KINDS.join('|')})\\}`);

export interface LevelFilter {
  prefix: string | null;
  template: string | null;
  exact: boolean | null;
  /** 0 for the key whose name is empty: every name begins with it. */
  nameBytesMax?: number;
}

/**
 * A path with folded ids is asked as a template, any other as a plain prefix (a range on the sorted names).
 * `exact`: only the keys that end there, not those that merely begin so. `within`: the literal beginning of the level
 * that leads there, which goes on narrowing a folded path that does not hold it (`user:1` and `user:{int}`).
 */
export function levelFilter(path: string, exact = false, within: string | null | undefined = null): LevelFilter {
  if (path === '') return { prefix: null, template: null, exact: null, ...(exact && { nameBytesMax: 0 }) };
  if (!FOLDED.test(path)) return { prefix: path, template: null, exact: exact || null };
  return { prefix: goesOnNarrowing(path, within) ? within : null, template: path, exact: exact || null };
}

/** What a path begins with, up to its first id, as names have it. */
export function literalBeginning(path: string): string {
  const [first] = piecesOf(path);
  return first && 'text' in first ? first.text : '';
}

function goesOnNarrowing(path: string, within: string | null | undefined): within is string {
  const literal = literalBeginning(path);
  return within != null && within.length > literal.length && within.startsWith(literal);
}

/**
 * The literal beginning that is looked at, where the folded paths of nodes do not hold it; null: they say all. Whatever
 * takes the keys of nodes asks for it beside them, or would take more keys than the tree has counted.
 */
export function besidePaths({ prefix, template }: Pick<KeyFilter, 'prefix' | 'template'>, delimiter: string) {
  if (!prefix) return null;
  if (template) return goesOnNarrowing(template, prefix) ? prefix : null;
  return prefix.endsWith(delimiter) ? null : prefix;
}

/**
 * The keys that a report counts on a path, out of those that are looked at: a literal beginning that was asked for goes
 * on narrowing a folded path, which does not hold it (`user:1` and `user:{int}`).
 */
export function countedFilter(path: string, end: boolean): FilterPatch {
  const { prefix, ...others } = levelFilter(path, end);
  return others.template === null ? { prefix, ...others } : others;
}
