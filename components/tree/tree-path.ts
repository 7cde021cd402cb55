/**
 * A level of the tree is a path that ends with a delimiter, or '' for the root. Ids in the path may be folded. A path
 * that ends with a folded id and no delimiter (`user:{int}`) is the level of the values of this id.
 */

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

/** The level of the values of a folded node; `path` is its own path. */
export const toValuesPath = (path: string, delimiter: string): string =>
  path.endsWith(delimiter) ? path.slice(0, -delimiter.length) : path;

/** Whether a level has the values of a folded id. */
export const hasValues = (path: string, delimiter: string): boolean =>
  !path.endsWith(delimiter) && isFolded(splitCrumbs(path, delimiter).at(-1)?.segment ?? '');

export const findParent = (path: string, delimiter: string): string => splitCrumbs(path, delimiter).at(-2)?.path ?? '';
