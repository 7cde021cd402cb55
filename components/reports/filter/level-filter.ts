import { KINDS } from '@/lib/model/names/id-kinds';

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
