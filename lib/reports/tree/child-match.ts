import { globPattern } from '@/lib/key-query/glob-pattern';
import { matchGlob } from '@/lib/model/text/match-glob';
import { wellFormed } from '@/lib/model/text/well-formed';
import type { NodeRow } from './tree-level';

/**
 * Which children of a level are meant by `match`: those whose segment, as the tree shows it, fits the glob, or begins
 * with the text where that has neither `*` nor `?`. Case counts, as in names. Both ways to ask take time that grows
 * with pattern and names and no faster, whatever the pattern.
 */
export interface ChildMatch {
  /** For RE2, to be bound; must match the whole segment. */
  pattern: string;
  test: (child: Pick<NodeRow, 'form' | 'segment'>) => boolean;
}

export function childMatch(match: string | undefined): ChildMatch | null {
  if (!match) return null;
  const text = wellFormed(match);
  const glob = /[*?]/.test(text) ? text : `${text}*`;
  return { pattern: globPattern(glob), test: ({ form, segment }) => matchGlob(glob, form ?? segment ?? '') };
}
