/** A level of the tree is a path that ends with a delimiter, or '' for the root. Ids in the path may be folded. */

import { FOLDED } from '@/components/reports/filter/level-filter';

const UNESCAPED = new RegExp(`(?:^|[^\\\\])${FOLDED.source}`);
/** Whether a segment contains a folded id: `{int}`, `user_{int}`; but not `\{int}`, which is a literal name. */
export const isFolded = (segment: string): boolean => UNESCAPED.test(segment);

interface Crumb {
  segment: string;
  /** The path up to and with this segment and the delimiter after it. */
  path: string;
}

/** `user:{int}:` → two crumbs. `delimiter` is matched as a whole, as on the server; empty segments are kept. */
export function splitCrumbs(path: string, delimiter: string): Crumb[] {
  const crumbs: Crumb[] = [];
  let start = 0;
  for (let at = path.indexOf(delimiter); delimiter !== '' && at >= 0; at = path.indexOf(delimiter, start)) {
    const end = at + delimiter.length;
    crumbs.push({ segment: path.slice(start, at), path: path.slice(0, end) });
    start = end;
  }
  if (start < path.length) crumbs.push({ segment: path.slice(start), path });
  return crumbs;
}

export const findParent = (path: string, delimiter: string): string => splitCrumbs(path, delimiter).at(-2)?.path ?? '';
