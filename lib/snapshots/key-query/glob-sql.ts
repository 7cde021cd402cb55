import type { Glob, GlobPart, GlobRange } from '@/lib/model/text/glob';

/**
 * SQL that is true if the whole name of a key matches a glob. A name that is text is matched by characters, a name that
 * is not (`raw`) by bytes. Bytes are compared as hex digits, because the database has no patterns over bytes. `bind`
 * binds a text and returns its placeholder.
 */
export const globSql = (glob: Glob, bind: (text: string) => string): string =>
  `CASE WHEN raw IS NULL THEN ${textGlobSql(glob, 'name', bind)} ELSE ${bytesSql(glob, 'raw', bind)} END`;

/** The same for a column of texts. */
export const textGlobSql = (glob: Glob, column: string, bind: (text: string) => string): string =>
  glob.characters === null
    ? bytesSql(glob, column, bind)
    : `regexp_full_match(${column}, ${bind(buildTextPattern(glob.characters))})`;

const bytesSql = (glob: Glob, column: string, bind: (text: string) => string) =>
  `regexp_full_match(hex(${column}), ${bind(buildHexPattern(glob))})`;

/** Writes the glob as RE2 over a text; it must match the whole text. */
const buildTextPattern = (characters: readonly GlobPart[]): string =>
  `(?s)${characters.map((part) => (part === 'any' ? '.*' : buildCharacterClass(part))).join('')}`;

function buildCharacterClass({ ranges, negated }: Exclude<GlobPart, 'any'>): string {
  const [only] = ranges;
  if (only === undefined) return '.';
  if (!negated && ranges.length === 1 && only[0] === only[1]) return escapeCharacter(only[0]);
  return `[${negated ? '^' : ''}${ranges.map(([from, to]) => `${escapeCharacter(from)}-${escapeCharacter(to)}`).join('')}]`;
}

function escapeCharacter(point: number): string {
  const text = String.fromCodePoint(point);
  return /[A-Za-z0-9]/.test(text) ? text : `\\x{${point.toString(16)}}`;
}

/** Writes the glob as RE2 over the upper-case hex digits of bytes; it must match all of them. */
export const buildHexPattern = ({ bytes }: Glob): string =>
  bytes.map((part) => (part === 'any' ? '(?:..)*' : buildByteClass(part))).join('');

function buildByteClass({ ranges, negated }: Exclude<GlobPart, 'any'>): string {
  if (ranges.length === 0) return '..';
  const isMatching = (byte: number) => ranges.some(([from, to]: GlobRange) => from <= byte && byte <= to) !== negated;
  const groups: string[] = [];
  for (const high of DIGITS) {
    const low = DIGITS.filter((digit) => isMatching(Number.parseInt(high + digit, 16)));
    if (low.length > 0) groups.push(`${high}[${low.join('')}]`);
  }
  // A class without bytes matches nothing.
  return groups.length === 0 ? '[^0-9A-F]' : `(?:${groups.join('|')})`;
}
const DIGITS = [...'0123456789ABCDEF'];
