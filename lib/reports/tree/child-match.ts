import { textGlobSql } from '@/lib/key-query/glob-sql';
import type { Where } from '@/lib/key-query/where-clause';
import { hasWildcard } from '@/lib/model/text/escape-glob';
import { matchesText, parseGlob } from '@/lib/model/text/glob';
import type { NodeRow } from './tree-level';

/**
 * Which children of a level are meant by `match`: those whose segment, as the tree shows it, fits the pattern, or
 * begins with the text where that has no wildcard. Both ways to ask take time that grows with pattern and names and no
 * faster, whatever the pattern.
 */
export interface ChildMatch {
  /** Of the rows of children. */
  sql: (where: Where) => string;
  test: (child: Pick<NodeRow, 'form' | 'segment'>) => boolean;
}

export function childMatch(match: string | undefined): ChildMatch | null {
  if (!match) return null;
  const glob = parseGlob(hasWildcard(match) ? match : `${match}*`);
  const sql = (where: Where) =>
    textGlobSql(glob, 'coalesce(form, segment)', (value) => `${where.bind(value)}::VARCHAR`);
  return { sql, test: ({ form, segment }) => matchesText(glob, form ?? segment ?? '') };
}
