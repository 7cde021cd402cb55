/**
 * The only way down from a child: if every key of `index:` is below `index:sku:`, they are one row and not two clicks.
 * It is decided by the first and the last name of a child, because all names between two share their common beginning,
 * or by the paths of the roll-up. The result is the segments as they are written in paths. After folded ids only words
 * are followed, because it is not known whether the ids below them are one or many.
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
  return form === null ? descent.map(escapeSegment) : cutAtFirstId(descent);
}

export function findOnlyDescentOfPaths(paths: readonly RollupPath[], depth: number, folds: boolean): string[] {
  const [first] = paths;
  const descent: string[] = [];
  for (let at = depth + 1; first && at < first.segments.length - 1; at++) {
    const segment = first.segments[at]!;
    const same = paths.every(({ segments }) => segments.length > at + 1 && segments[at] === segment);
    if (!same || segment === CUT || first.texts[at] === null) break;
    descent.push(segment);
  }
  return folds ? cutAtFirstId(descent) : descent;
}

/** Returns the segments before the first id: a word is written the same in a template. */
function cutAtFirstId(segments: readonly string[]): string[] {
  const end = segments.findIndex((segment) => /[{\\]/.test(segment) || foldSegment(segment) !== null);
  return end < 0 ? [...segments] : segments.slice(0, end);
}

function findCommonBeginning(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return a.slice(0, at);
}
