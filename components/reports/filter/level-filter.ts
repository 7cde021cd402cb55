import { KINDS } from '@/lib/model/names/id-kinds';

const FOLDED = new RegExp(`\\{(?:${KINDS.join('|')})\\}`);

/** A path with folded ids is asked as a template, any other as a plain prefix (a range on the sorted names). */
export function levelFilter(path: string): { prefix: string | null; template: string | null } {
  if (path === '') return { prefix: null, template: null };
  return FOLDED.test(path) ? { prefix: null, template: path } : { prefix: path, template: null };
}
