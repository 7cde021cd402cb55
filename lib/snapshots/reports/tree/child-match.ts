import { matchesText, parseGlob } from '@/lib/model/text/glob';
import { JAVA_STRING } from '@/lib/model/text/java-string';
import { textGlobSql } from '@/lib/snapshots/key-query/glob-sql';
import type { Where } from '@/lib/snapshots/key-query/where-clause';
import type { NodeRow } from './tree-level';

/**
 * A filter for the children of a level by `match`: their segment, as the tree shows it, must match the pattern, or
 * begin with the text if that has no wildcard. The time of both forms grows with the size of pattern and names and no
 * faster, whatever the pattern.
 */
export interface ChildMatch {
  /** SQL over the rows of children. */
  sql: (where: Where) => string;
  test: (child: Pick<NodeRow, 'form' | 'segment'>) => boolean;
}

/** Matches escapes of a byte, escapes that give a sign its literal meaning, and classes. */
const ESCAPES = /\\(?:x([0-9a-f]{2})|java\\|.)|\[(?:\\.|[^\]\\])*\]/gis;
const isPrintable = (byte: string) => /[ -~]/.test(String.fromCharCode(Number.parseInt(byte, 16)));

/** Rewrites a pattern for names into one for the shown texts: the tree shows bytes that are no text as `\xhh`. */
const toShownPattern = (pattern: string): string =>
  pattern.replace(ESCAPES, (sign, byte?: string) => {
    if (sign === JAVA_STRING) return '\\\\java\\\\';
    return byte === undefined || isPrintable(byte) ? sign : `\\\\x${byte.toLowerCase()}`;
  });

/** Returns null if `match` is not set. */
export function compileChildMatch(match: string | undefined): ChildMatch | null {
  if (!match) return null;
  const pattern = parseGlob(match).hasWildcard ? match : `${match}*`;
  // Bytes that make a character are shown as that character, others are escaped.
  const globs = [...new Set([pattern, toShownPattern(pattern)])].map(parseGlob);
  const sql = (where: Where) => {
    const bind = (text: string) => `${where.bind(text)}::VARCHAR`;
    return `(${globs.map((glob) => textGlobSql(glob, 'coalesce(form, segment)', bind)).join(' OR ')})`;
  };
  return { sql, test: ({ form, segment }) => globs.some((glob) => matchesText(glob, form ?? segment ?? '')) };
}
