import { JAVA_HEADER, JAVA_STRING } from './java-string';
import { toWellFormed } from './to-well-formed';

/**
 * The pattern language of the product, which is that of Redis's KEYS and SCAN MATCH: `*` is any text, `?` one
 * character, `[abc]`, `[a-z]` and `[^a]` are one character of a class, and a backslash makes `*`, `?`, `[`, `]`, `^`,
 * `-` and itself literal. As in the display form of names, `\xhh` is one byte, and `\java\` are the seven bytes that
 * Java writes before a string. Upper and lower case are distinguished.
 *
 * Redis compares bytes. Here a name that is text (UTF-8) is compared character by character, as people count, and any
 * other name byte by byte. So each pattern is parsed twice: into characters, and into the bytes that Redis would
 * compare.
 */
export interface Glob {
  /** null = it contains bytes that are not whole characters; each name is then compared byte by byte, as in Redis. */
  readonly characters: readonly GlobPart[] | null;
  readonly bytes: readonly GlobPart[];
  /**
   * Whether it contains a `*`, a `?` or a class. The two bytes of length after `\java\`, which match any, do not count.
   */
  readonly hasWildcard: boolean;
}

/**
 * `any` is any number of units. Otherwise it is one unit within one of the ranges, or within none of them if negated.
 */
export type GlobPart = 'any' | { readonly ranges: readonly GlobRange[]; readonly negated: boolean };
export type GlobRange = readonly [from: number, to: number];

/** Names what is wrong with a pattern; the messages of the pages are named after these. */
export type GlobFault = 'class_open' | 'class_empty' | 'class_mixed' | 'backslash';

export const GLOB_SENTENCES: Record<GlobFault, string> = {
  class_open: 'A [ opens a class that no ] closes; a [ of the name itself is written \\[.',
  class_empty: 'The class [] holds no character.',
  class_mixed: 'A range of a class lies within ASCII or beyond it; write two ranges, such as [a-z\\x80-\\xff].',
  backslash:
    'A backslash takes the meaning from * ? [ ] ^ - or stands in \\xhh or \\java\\; one of the name itself is written \\\\.',
};

/** The pattern is invalid; the message is a sentence that says how to write it. */
class GlobError extends Error {
  constructor(readonly fault: GlobFault) {
    super(GLOB_SENTENCES[fault]);
  }
}

interface Unit {
  value: number;
  /** Written as `\xhh` and above 7f: a byte that is not a character by itself. */
  isByte: boolean;
}

/** @throws GlobError */
export function parseGlob(pattern: string): Glob {
  const text = toWellFormed(pattern);
  const { parts, hasWildcard } = parse([...new TextEncoder().encode(text)], false);
  return { characters: parse(toCodePoints(text), true).parts, bytes: parts!, hasWildcard };
}

/** Whether a text was typed as a pattern. One that is invalid counts by its signs, so that its fault is reported. */
export function hasWildcard(pattern: string): boolean {
  return findGlobFault(pattern) === null ? parseGlob(pattern).hasWildcard : /[*?[]/.test(pattern);
}

const toCodePoints = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0)!);

/** Returns what is wrong with a pattern; null = it is valid. */
export function findGlobFault(pattern: string): GlobFault | null {
  try {
    parseGlob(pattern);
    return null;
  } catch (error) {
    if (error instanceof GlobError) return error.fault;
    throw error;
  }
}

/** Refuses an invalid pattern in a schema, with the sentence that says why. */
export function refuseBadGlob(
  pattern: string,
  context: { addIssue(issue: { code: 'custom'; message: string }): void },
) {
  const fault = findGlobFault(pattern);
  if (fault !== null) context.addIssue({ code: 'custom', message: GLOB_SENTENCES[fault] });
}

const [STAR, QUESTION, OPEN, CLOSE, CARET, DASH, BACKSLASH, X] = Array.from('*?[]^-\\x', (sign) => sign.charCodeAt(0));
const JAVA = Array.from(JAVA_STRING, (sign) => sign.charCodeAt(0));
const ANY_UNIT: GlobPart = { ranges: [], negated: true };
const ESCAPABLE = [STAR, QUESTION, OPEN, CLOSE, CARET, DASH, BACKSLASH];

/** The parts are null if characters were requested and the pattern contains bytes that are not whole characters. */
function parse(units: readonly number[], ofCharacters: boolean): { parts: GlobPart[] | null; hasWildcard: boolean } {
  const parts: GlobPart[] = [];
  let at = 0;
  let isWhole = true;
  let hasWildcard = false;

  const readUnit = (): Unit => {
    const value = units[at++]!;
    if (value !== BACKSLASH) return { value, isByte: false };
    const next = units[at];
    if (next === X) {
      const byte = parseHexByte(units, at + 1);
      if (byte !== null) {
        at += 3;
        return { value: byte, isByte: ofCharacters && byte > 0x7f };
      }
    }
    if (next === undefined || !ESCAPABLE.includes(next)) throw new GlobError('backslash');
    at++;
    return { value: next, isByte: false };
  };

  const readClass = (): GlobPart => {
    const negated = units[at] === CARET;
    if (negated) at++;
    const ranges: GlobRange[] = [];
    let isEmpty = true;
    for (; units[at] !== CLOSE; isEmpty = false) {
      if (at >= units.length) throw new GlobError('class_open');
      const first = at;
      const from = readUnit();
      let to = from;
      // This follows Redis: a sign after a backslash starts no range, and a `]` may end one.
      if (units[at] === DASH && at + 1 < units.length && at - first !== 2) {
        at++;
        const end = at;
        to = readUnit();
        if (at - end === 2) throw new GlobError('backslash');
      }
      // Redis compares signed bytes, so there [a-\xff] contains `:` but not z, which nobody intends: refuse it.
      if (from.value > 0x7f !== to.value > 0x7f) throw new GlobError('class_mixed');
      // Redis accepts the ends of a range in either order.
      ranges.push([Math.min(from.value, to.value), Math.max(from.value, to.value)]);
      if (from.isByte || to.isByte) isWhole = false;
    }
    at++;
    if (isEmpty) throw new GlobError('class_empty');
    return { ranges, negated };
  };

  /** Consecutive bytes may together be a character. */
  const readBytes = (first: number): void => {
    const bytes = [first];
    while (units[at] === BACKSLASH && units[at + 1] === X && (parseHexByte(units, at + 2) ?? 0) > 0x7f)
      bytes.push(readUnit().value);
    const text = decodeBytes(bytes);
    if (text === null) isWhole = false;
    for (const value of toCodePoints(text ?? '')) parts.push({ ranges: [[value, value]], negated: false });
  };

  while (at < units.length) {
    const unit = units[at]!;
    hasWildcard ||= unit === STAR || unit === QUESTION || unit === OPEN;
    if (unit === STAR) {
      at++;
      if (parts.at(-1) !== 'any') parts.push('any');
    } else if (unit === QUESTION) {
      at++;
      parts.push(ANY_UNIT);
    } else if (unit === OPEN) {
      at++;
      parts.push(readClass());
    } else if (JAVA.every((sign, i) => units[at + i] === sign)) {
      at += JAVA.length;
      if (ofCharacters) isWhole = false;
      for (const byte of JAVA_HEADER) parts.push({ ranges: [[byte, byte]], negated: false });
      parts.push(ANY_UNIT, ANY_UNIT);
    } else {
      const { value, isByte } = readUnit();
      if (isByte) readBytes(value);
      else parts.push({ ranges: [[value, value]], negated: false });
    }
  }
  return { parts: isWhole ? parts : null, hasWildcard };
}

function parseHexByte(units: readonly number[], at: number): number | null {
  const text = String.fromCharCode(units[at] ?? 0, units[at + 1] ?? 0);
  return /^[0-9a-fA-F]{2}$/.test(text) ? Number.parseInt(text, 16) : null;
}

/** Returns null if the bytes are not whole characters. */
function decodeBytes(bytes: readonly number[]): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}

/**
 * Returns the text of a pattern without its stars if every other part is one character; null if there are classes or
 * bytes.
 */
export function getLiteralText({ characters }: Glob): string | null {
  if (characters === null) return null;
  let text = '';
  for (const part of characters) {
    if (part === 'any') continue;
    const [only] = part.ranges;
    if (part.negated || part.ranges.length !== 1 || only![0] !== only![1]) return null;
    text += String.fromCodePoint(only![0]);
  }
  return text;
}

/** Whether a whole text matches. It takes at most length times length steps, whatever the pattern. */
export const matchesText = (glob: Glob, text: string): boolean =>
  glob.characters === null
    ? matchesBytes(glob, new TextEncoder().encode(text))
    : matches(glob.characters, toCodePoints(toWellFormed(text)));

/** The same for the bytes of a name, each one unit, as Redis does it. */
export const matchesBytes = (glob: Glob, name: Uint8Array): boolean => matches(glob.bytes, name);

/** Backtracks only to the last star, so many stars cost no more than one. */
function matches(parts: readonly GlobPart[], units: ArrayLike<number>): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (from < units.length) {
    const part = parts[at];
    if (part === 'any') {
      star = at++;
      resume = from;
    } else if (part !== undefined && isInPart(part, units[from]!)) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++resume;
    } else return false;
  }
  while (parts[at] === 'any') at++;
  return at === parts.length;
}

const isInPart = ({ ranges, negated }: Exclude<GlobPart, 'any'>, unit: number): boolean =>
  ranges.some(([from, to]) => from <= unit && unit <= to) !== negated;
