import type { ProfileBody } from '@/lib/model/rules/policy';
import { isIdColumn } from '@/lib/rules/words/id-columns';
import { type NamePiece, splitNamePieces } from '@/lib/rules/words/name-pieces';
import { buildSplitPattern, joinsMeanings, listOtherSigns } from '@/lib/rules/words/name-words';

/** The type of a key by the suffix that names it. */
const TYPE_OF_SUFFIX = new Map([
  ...['string', 'hash', 'list', 'set', 'zset', 'stream'].map((type) => [type, type] as const),
  ['bitmap', 'string'],
  ['hyperloglog', 'string'],
  ['geo', 'zset'],
  ['sortedset', 'zset'],
]);
/**
 * The rules that a new spelling can pass and that suggestions are made for. N4 counts only for types that have a word.
 */
export const SPELLING_RULES = ['N4', 'N7', 'N8', 'N9', 'N10', 'N11', 'N12', 'N13', 'N14'] as const;
export const hasTypeWord = (type: string | null) => type !== null && TYPE_OF_SUFFIX.has(type);

/** Characters. Longer names get no suggestion. */
const MAX_NAME = 512;
const ESCAPED_BYTE = /\\x[0-9a-f]{2}|^\\java\\/;
/** A hash tag as a cluster reads it. It is never split, even if it contains delimiters. */
const HASH_TAG = /^([^{]*)(\{[^}]+\})/;

/** The spelling that a profile requires. */
interface Spelling {
  /** Whether a rule is on. */
  on: (id: string) => boolean;
  /** Signs that are used where a delimiter should be. */
  signs: RegExp;
  delimiter: string;
  /** N13 accepts UserAdmin and user_admin as one word. */
  caseStyles: boolean;
}

/**
 * Suggests another spelling of a name that passes the word and sign rules of a profile. It is advice for the developers
 * of the application; Colonnade never renames a key for it. Only words are respelled. Everything that is or may be an
 * id stays the same byte for byte, and so do hash tags with their braces, because two keys must not become one. null =
 * nothing to respell, or no safe suggestion: ids, addresses, bytes that are not text, other scripts.
 * lib/rules/evaluate/confirm-suggestions.ts checks the suggestion with the rules themselves.
 */
export const suggestName = (name: string, type: string | null, profile: ProfileBody): string | null =>
  createNameSuggester(profile)(name, type);

/** The same for many names under one profile. */
export function createNameSuggester(profile: ProfileBody): (name: string, type: string | null) => string | null {
  const rulesOn = new Set(Object.keys(profile.rules).filter((id) => profile.rules[id]?.on === true));
  const spelling: Spelling = {
    on: (id: string) => rulesOn.has(id),
    signs: new RegExp(listOtherSigns(profile.delimiter).map(buildSplitPattern).join('|')),
    delimiter: profile.delimiter,
    caseStyles: Number(profile.rules.N13?.params.caseStyles ?? 0) === 1,
  };
  return (name, type) => suggest(name, type, spelling);
}

function suggest(name: string, type: string | null, spelling: Spelling): string | null {
  if (name === '' || name.length > MAX_NAME || name.includes('@') || ESCAPED_BYTE.test(name)) return null;
  const { on, delimiter } = spelling;
  const before = splitSegments(name, delimiter);
  const isOneSegment = before.length === 1;
  // A name that is only an id is not meant for people, and a suffix would not change that.
  if (isOneSegment && isId(name, spelling)) return null;
  const values = findValues(before, spelling);
  let segments = before.flatMap((segment, i) => (values.has(i) ? [segment] : respell(segment, spelling, isOneSegment)));
  if (['N1', 'N2', 'N3', 'N5', 'N11'].some(on)) segments = segments.filter((segment) => segment !== '');
  if (segments.every((segment) => segment === '')) return null;
  const realType = type === null ? undefined : TYPE_OF_SUFFIX.get(type);
  if (on('N4') && realType !== undefined) {
    const suffix = on('N14') ? realType.toUpperCase() : realType;
    const namedType = TYPE_OF_SUFFIX.get(segments.at(-1)!.toLowerCase());
    if (namedType === undefined) segments.push(suffix);
    else if (namedType !== realType) segments[segments.length - 1] = suffix;
  }
  const suggested = segments.join(delimiter);
  return suggested === name ? null : suggested;
}

/** The segments of a name. A hash tag stays whole, within the segment that holds it. */
function splitSegments(name: string, delimiter: string): string[] {
  const [whole, before, tag] = HASH_TAG.exec(name) ?? [];
  if (whole === undefined) return name.split(delimiter);
  const first = before!.split(delimiter);
  const [rest, ...others] = name.slice(whole.length).split(delimiter);
  return [...first.slice(0, -1), first.at(-1)! + tag + rest, ...others];
}

/**
 * Indexes of segments that are values, whatever they look like: a segment after the column by which a row is found, and
 * the last segment under N5 (project, table, column and value).
 */
function findValues(segments: readonly string[], { on }: Spelling): Set<number> {
  const filled = [...segments.keys()].filter((i) => segments[i] !== '');
  if (on('N4') && filled.length > 0 && TYPE_OF_SUFFIX.has(segments[filled.at(-1)!]!.toLowerCase())) filled.pop();
  const last = filled.length - 1;
  return new Set(filled.filter((_, k) => k > 0 && (isIdColumn(segments[filled[k - 1]!]!) || (on('N5') && k === last))));
}

/** Splits one segment into the segments that it should be. */
function respell(segment: string, spelling: Spelling, isWholeName: boolean): string[] {
  if (segment === '' || /[{}]/.test(segment)) return [segment];
  const { on } = spelling;
  const parts = (on('N11') || on('N8') ? segment.split(spelling.signs) : [segment]).filter((part) => part !== '');
  const pieces = parts.map((part) => splitNamePieces(part, on('N9')));
  // If one part may be an id, the whole segment stays unchanged.
  if (pieces.includes(null) || altersValue((pieces as NamePiece[][]).flat(), spelling)) return [segment];
  return (pieces as NamePiece[][]).flatMap((ofPart, i) =>
    isWholeName && on('N11') && joinsMeanings(parts[i]!)
      ? ofPart.flatMap((piece) => joinPieces([piece], spelling))
      : joinPieces(ofPart, spelling),
  );
}

/**
 * Whether respelling would change a value within a segment (`login_JohnSmith`): words after an id column that would not
 * stay one word as they are.
 */
function altersValue(pieces: readonly NamePiece[], spelling: Spelling): boolean {
  return pieces.some(({ text }, i) => {
    const [value, ...more] = pieces.slice(i + 1);
    if (!isIdColumn(text) || value === undefined || value.words.length === 0) return false;
    return more.length > 0 || joinPieces([value], spelling).join(spelling.delimiter) !== value.text;
  });
}

/** Whether the name has no word that could be respelled. */
const isId = (name: string, { on, signs }: Spelling) =>
  name
    .split(signs)
    .every((part) => splitNamePieces(part, on('N9'))?.every((piece) => piece.words.length === 0) ?? true);

/** Joins the pieces of one segment, into one segment or several. */
function joinPieces(pieces: readonly NamePiece[], { on, caseStyles }: Spelling): string[] {
  const splitsCase = on('N12') || (on('N13') && !caseStyles);
  const segments: string[] = [];
  pieces.forEach(({ sign, text, words }, i) => {
    const parts = words.length > 0 && splitsCase ? words : [text];
    parts.forEach((part, k) => {
      const isBetweenWords = k > 0 || (i > 0 && words.length > 0 && pieces[i - 1]!.words.length > 0);
      const respelt = words.length === 0 ? part : toCase(part, on);
      const newSign = k > 0 ? '.' : i > 0 ? chooseSign(sign, isBetweenWords, splitsCase, on) : '';
      if (segments.length === 0 || (newSign.includes('.') && isBetweenWords && on('N13'))) segments.push(respelt);
      else segments[segments.length - 1] += newSign + respelt;
    });
  });
  return segments;
}

function toCase(word: string, on: Spelling['on']): string {
  if (on('N14')) return word.toUpperCase();
  return on('N8') ? word.toLowerCase() : word;
}

/** The sign to write between two pieces instead of `sign`. */
function chooseSign(sign: string, isBetweenWords: boolean, splitsCase: boolean, on: Spelling['on']): string {
  if (sign.includes(' ') && (on('N8') || on('N9'))) return '.';
  if (sign.includes('_') && (on('N8') || on('N10') || (isBetweenWords && splitsCase))) return '.';
  return sign.includes('-') && (on('N8') || (isBetweenWords && (on('N12') || on('N13')))) ? '.' : sign;
}
