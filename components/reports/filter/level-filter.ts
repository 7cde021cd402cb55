import { KINDS } from '@/lib/model/names/id-kinds';
import type { FilterPatch } from './filter-params';

const FOLDED = new RegExp(`\\{(?:${KINDS.join('|')})\\}`);

export interface LevelFilter {
  prefix: string | null;
  template: string | null;
  exact: boolean | null;
}

/**
 * A path with folded ids is asked as a template, any other as a plain prefix (a range on the sorted names).
 * `exact`: only the keys that end there, not those that merely begin so.
 */
export function levelFilter(path: string, exact = false): LevelFilter {
  if (path === '') return { prefix: null, template: null, exact: null };
  const where = FOLDED.test(path) ? { prefix: null, template: path } : { prefix: path, template: null };
  return { ...where, exact: exact || null };
}

/**
 * The keys that a report counts on a path, out of those that are looked at: a literal beginning that was asked for goes
 * on narrowing a folded path, which does not hold it (`user:1` and `user:{int}`).
 */
export function countedFilter(path: string, end: boolean): FilterPatch {
  const { prefix, template, exact } = levelFilter(path, end);
  return template === null ? { prefix, template, exact } : { template, exact };
}
