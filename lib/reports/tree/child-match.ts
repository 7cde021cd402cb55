import { textGlobSql } from '@/lib/key-query/glob-sql';
import type { Where } from '@/lib/key-query/where-clause';
import { hasWildcard } from '@/lib/model/text/escape-glob';
import { matchesText, parseGlob } from '@/lib/model/text/glob';
import { JAVA_STRING } from '@/lib/model/text/java-string';
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

/** Matches whatever stands for a byte, for a sign that has lost its meaning, or for a class. */
const ESCAPES = /\\(?:x([0-9a-f]{2})|java\\|.)|\[(?:\\.|[^\]\\])*\]/gis;
const isSeen = (byte: string) => /[ -~]/.test(String.fromCharCode(Number.parseInt(byte, 16)));

/** A pattern of names as one of the texts that stand for them: the tree shows bytes that are no text as `\xhh`. */
const overForms = (pattern: string): string =>
  pattern.replace(ESCAPES, (sign, byte?: string) => {
    if (sign === JAVA_STRING) return '\\\\java\\\\';
    return byte === undefined || isSeen(byte) ? sign : `\\\\x${byte.toLowerCase()}`;
  });

export function childMatch(match: string | undefined): ChildMatch | null {
  if (!match) return null;
  const pattern = hasWildcard(match) ? match : `${match}*`;
  // Bytes that make a character are shown as that character, others are escaped.
  const globs = [...new Set([pattern, overForms(pattern)])].map(parseGlob);
  const sql = (where: Where) => {
    const text = (value: string) => `${where.bind(value)}::VARCHAR`;
    return `(${globs.map((glob) => textGlobSql(glob, 'coalesce(form, segment)', text)).join(' OR ')})`;
  };
  return { sql, test: ({ form, segment }) => globs.some((glob) => matchesText(glob, form ?? segment ?? '')) };
}
