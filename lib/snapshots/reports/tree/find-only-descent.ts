/**
 * The only way down from a child: if every key of `index:` is below `index:sku:`, they are one row and not two clicks.
 * It is decided by the first and the last name of a child, because all names between two share their common beginning,
 * or by the paths of the roll-up. The result is the segments as they are written in paths. Below a child that is folded
 * itself, ids are followed by their folded form (`{date}:{int}:`), by the first and the last template. Below a word
 * they are not, because the level there may show its few ids one by one.
 */

import { foldSegment } from '@/lib/model/names/fold-segment';
import { escapeSegment } from '@/lib/model/names/written-segment';
import type { RollupPath } from '@/lib/snapshots/rollup/open-rollup';
import { CUT } from '@/lib/snapshots/rollup/settle-paths';

/** The last name of a child (`example` is the first), and its first and last template if it is folded. */
export interface Ends {
  lastName?: string | null;
  firstTemplate?: string | null;
  lastTemplate?: string | null;
}

/** @param depth The depth of the child. */
export function findOnlyDescent(
  row: Ends & { form: string | null; example: string },
  depth: number,
  delimiter: string,
): string[] {
  const { form, example, lastName, firstTemplate, lastTemplate } = row;
  const [first, last] = form === null ? [example, lastName] : [firstTemplate, lastTemplate];
  if (first == null || last == null) return [];
  const descent = findCommonBeginning(first, last)
    .split(delimiter)
    .slice(depth + 1, -1);
  return form === null ? descent.map(escapeSegment) : descent;
}

/** @param folds The child is a folded id. */
export function findOnlyDescentOfPaths(paths: readonly RollupPath[], depth: number, folds: boolean): string[] {
  const [first] = paths;
  const descent: string[] = [];
  for (let at = depth + 1; first && at < first.segments.length - 1; at++) {
    const segment = write(first, at, folds);
    const isSame = (path: RollupPath) => path.segments.length > at + 1 && write(path, at, folds) === segment;
    if (segment === CUT || (!folds && first.texts[at] === null) || !paths.every(isSame)) break;
    descent.push(segment);
  }
  return descent;
}

/** Returns a segment as paths have it; `folds`: as templates have it. */
function write({ segments, texts }: RollupPath, at: number, folds: boolean): string {
  const text = texts[at];
  return (folds && text != null ? foldSegment(text) : null) ?? segments[at]!;
}

function findCommonBeginning(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return a.slice(0, at);
}
