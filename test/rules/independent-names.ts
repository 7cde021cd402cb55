import { isUtf8 } from 'node:buffer';
import { detectSegmentKind } from '@/lib/model/names/id-kinds';
import { isIdColumn } from '@/lib/rules/words/id-columns';
import type { AdHocRow } from '@/lib/snapshots/query/ad-hoc-rows';

/**
 * A second implementation of the naming rules, written from their meaning and not from the SQL: it looks at characters
 * one by one. It uses the defaults of the catalogue and the delimiter `:`. Rows with `raw` are in display form, where
 * `\xhh` means one byte and not four characters.
 */
export interface NameFacts {
  owners: readonly string[];
  reserved: ReadonlySet<string>;
  ordinary: ReadonlySet<string>;
}

const bytesOf = (text: string) => Buffer.byteLength(text);
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const isLower = (c: string | undefined) => c !== undefined && c !== '' && LOWER.includes(c);
const isUpper = (c: string | undefined) => c !== undefined && c !== '' && UPPER.includes(c);
const isLetter = (c: string | undefined) => isLower(c) || isUpper(c);
const isDigit = (c: string | undefined) => c !== undefined && c !== '' && DIGITS.includes(c);
const isHex = (c: string) => isDigit(c) || 'abcdefABCDEF'.includes(c);

/** Only the first 4096 characters are split into segments. */
const partsOf = (name: string) => Array.from(name).slice(0, 4096).join('').split(':');
const segments = (name: string) => partsOf(name).filter((part) => part !== '').length;

function isUuid(text: string): boolean {
  const groups = text.split('-');
  return groups.map((group) => group.length).join() === '8,4,4,4,12' && groups.every((g) => Array.from(g).every(isHex));
}

function isId(segment: string): boolean {
  if (segment.includes('@') || isUuid(segment)) return true;
  const all = Array.from(segment);
  if (isNumeric(segment)) return true;
  return all.some(isDigit) && (bytesOf(segment) >= 16 || isHexGroups(segment));
}

const isNumeric = (text: string) => isDigit(text[0]) && Array.from(text).every((c) => isDigit(c) || '._-'.includes(c));

function isHexGroups(segment: string): boolean {
  const groups = segment.replaceAll('_', '-').split('-');
  return groups.length > 1 && groups.every((group) => group.length >= 4 && Array.from(group).every(isHex));
}

/** Whether a segment is an id that the tree folds, or a random one. */
function isFolded(segment: string): boolean {
  const kind = detectSegmentKind(segment);
  return (kind !== null && kind !== 'b64') || isRandom(segment);
}

/**
 * Whether a name is long, with letters of both cases and digits, where digits are between letters twice, or once
 * between a capital and a small letter.
 */
function isRandom(name: string): boolean {
  const all = Array.from(name);
  if (all.length < 16 || !all.every((c) => isLetter(c) || isDigit(c) || c === '-' || c === '_')) return false;
  if (!all.some(isUpper) || !all.some(isLower)) return false;
  let amid = 0;
  for (let i = 0; i < all.length; i++) {
    if (!isDigit(all[i]) || isDigit(all[i - 1])) continue;
    let end = i;
    while (isDigit(all[end])) end++;
    if (isUpper(all[i - 1]) && isLower(all[end])) return true;
    if (isLetter(all[i - 1]) && isLetter(all[end])) amid++;
  }
  return amid > 1;
}

/** A name that only spells an escaped byte has `raw` too. */
const isText = ({ raw }: AdHocRow) =>
  raw == null || (isUtf8(raw) && !/[\u0000-\u001f\u007f-\u009f]/.test(Buffer.from(raw).toString()));

/** Escaped bytes do not count as letters. */
const letters = (segment: string, row: AdHocRow) =>
  isText(row) ? segment : segment.replace(/^\\java\\|\\x[0-9a-f]{2}/g, () => ' ');

const someWord = (row: AdHocRow, test: (segment: string) => boolean) =>
  partsOf(row.name).some((part) => !isId(part) && test(letters(part, row)));

const joinedBy = (sign: string, many: boolean) => (segment: string) => {
  for (let at = segment.indexOf(sign); at >= 0; at = segment.indexOf(sign, at + 1)) {
    let end = at + 1;
    while (many && segment[end] === sign) end++;
    if (isLetter(segment[at - 1]) && isLetter(segment[end])) return true;
  }
  return false;
};
const camel = (segment: string) => Array.from(segment).some((c, i, all) => isLower(c) && isUpper(all[i + 1]));
const otherJoins = (s: string) => camel(s) || joinedBy('_', true)(s) || joinedBy('-', false)(s);

const TYPE_WORDS = new Map([
  ...['string', 'hash', 'list', 'set', 'zset', 'stream'].map((type) => [type, type] as const),
  ['bitmap', 'string'],
  ['hyperloglog', 'string'],
  ['geo', 'zset'],
  ['sortedset', 'zset'],
  ['json', 'rejson-rl'],
  ['timeseries', 'tsdb-type'],
  ['bloom', 'mbbloom--'],
  ['vectorset', 'vectorset'],
]);
/** Whether two type names mean the same type, because two servers name it differently. */
const sameType = (type: string) => (type.toLowerCase() === 'bloomfltr' ? 'mbbloom--' : type.toLowerCase());

function otherSigns(row: AdHocRow): boolean {
  const { name } = row;
  const signs = ['/', '|', ';', ',', '#', '->', '=>', '：', '／', '｜', '；', '，', ...(isText(row) ? ['\\'] : [])];
  if (signs.some((sign) => name.includes(sign))) return true;
  if (name.includes(':') || isUuid(name) || (Array.from(name).some(isDigit) && isHexGroups(name))) return false;
  if (isRandom(name)) return false;
  const isWord = (c: string | undefined) => isLetter(c) || isDigit(c);
  for (let i = 0; i < name.length; i++) {
    // a word, perhaps a number, then a dash or underscore, then more
    if ((name[i] === '-' || name[i] === '_') && isWord(name[i + 1])) {
      let before = i - 1;
      while (isDigit(name[before])) before--;
      if (isLetter(name[before]) && isLetter(name[before - 1])) return true;
    }
    if (name[i] !== '.' || !isWord(name[i - 1])) continue;
    // a dot before a number, a date or a UUID that is a whole segment
    const rest = name.slice(i + 1).split('.')[0]!;
    if (isLetter(name[i - 1]) && rest !== '' && (Array.from(rest).every(isDigit) || isUuid(rest) || isDate(rest)))
      return true;
    // a word between two dots, and words on both sides
    let end = i + 1;
    while (isWord(name[end])) end++;
    let before = i - 1;
    while (isDigit(name[before])) before--;
    const wordBefore = isLetter(name[before]);
    if (wordBefore && isLetter(name[i + 1]) && name[end] === '.' && isLetter(name[end + 1])) return true;
  }
  return false;
}

/** Whether a text is year, month and perhaps day, joined by dashes or underscores. */
function isDate(text: string): boolean {
  const [year = '', month = '', day = '01', ...more] = text.replaceAll('_', '-').split('-');
  const all = [year, month, day];
  if (!text.includes('-') && !text.includes('_')) return false;
  if (more.length > 0 || all.some((part) => part === '' || !Array.from(part).every(isDigit))) return false;
  const fits = (part: string, max: string) => part.length === 1 || (part.length === 2 && part[0]! <= max);
  return year.length === 4 && ['19', '20'].includes(year.slice(0, 2)) && fits(month, '1') && fits(day, '3');
}

function notFourSegments(row: AdHocRow): boolean {
  const { name } = row;
  const open = name.indexOf('{');
  const close = open < 0 ? -1 : name.indexOf('}', open);
  const tagged = close > open + 1;
  if (tagged && !name.includes(':')) return false;
  const parts = partsOf(name);
  if (parts.includes('')) return true;
  const ownTag = tagged && open === 0 && name[close + 1] === ':';
  if (parts.length !== 4 && !(ownTag && parts.length === 5)) return true;
  return parts.slice(0, -1).some((part) => isNumeric(part) || isUuid(part));
}

function refusedCharacter(c: string): boolean {
  return ' \t\r\n\f"\'`\\'.includes(c) || /\p{Separator}|\p{Format}/u.test(c);
}

/** A prefix consists of whole segments, unless it ends in a sign. */
function isBelow(name: string, prefix: string): boolean {
  const last = Array.from(prefix).at(-1)!;
  const wordEnds = last.toLowerCase() !== last.toUpperCase() || isDigit(last) || /\p{Script=Han}/u.test(last);
  return name.startsWith(prefix) && (!wordEnds || name.length === prefix.length || name[prefix.length] === ':');
}

export const independentNames: Record<string, (row: AdHocRow, facts: NameFacts) => boolean> = {
  N1: (row) => segments(row.name) < 3,
  N2: (row) => segments(row.name) < 4,
  N3: (row) => segments(row.name) < 3,
  N4: (row) => {
    const word = TYPE_WORDS.get(partsOf(row.name).at(-1)!.toLowerCase());
    return word === undefined || (row.type != null && word !== sameType(row.type));
  },
  N5: notFourSegments,
  N6: (row, { owners }) => owners.length > 0 && !owners.some((prefix) => isBelow(row.name, prefix)),
  N7: (row) => !isLetter(row.name.startsWith('{') ? row.name[1] : row.name[0]),
  N8: (row) => Array.from(row.name).some((c) => !isLower(c) && !isDigit(c) && !'.:{}'.includes(c)),
  N9: (row) => row.raw != null || Array.from(row.name).some(refusedCharacter),
  N10: (row) => row.name.includes('_'),
  N11: otherSigns,
  N12: (row) => someWord(row, otherJoins),
  N13: (row) => someWord(row, (s) => otherJoins(s) || joinedBy('.', false)(s)),
  N14: (row) =>
    partsOf(row.name).some((part, i, all) => {
      const isValue = (i === 3 && all.length === 4) || (i > 0 && isIdColumn(all[i - 1]!));
      return Array.from(letters(part, row)).some(isLower) && !isFolded(part) && !isValue;
    }),
  N16: (row) => {
    const bytes = row.raw?.length ?? bytesOf(row.name);
    return bytes < 3 || bytes > 128;
  },
  N18: (row) => {
    if ((row.raw?.length ?? bytesOf(row.name)) > 100) return true;
    const first = Array.from(partsOf(row.name)[0]!);
    const opaque = first.every((c) => isDigit(c) || 'abcdef-'.includes(c));
    if (opaque && first.length >= 8 && first.some(isDigit)) return true;
    const tells = (text: string) => /\p{L}{2}|\p{Script=Han}/u.test(text);
    const types = ['string', 'hash', 'list', 'set', 'zset', 'stream'];
    return !partsOf(row.name).some((part, i, all) => {
      const isType = i > 0 && i === all.length - 1 && types.includes(part.toLowerCase());
      return tells(letters(part, row)) && !isType && !isFolded(part);
    });
  },
  N20: (row, { reserved, ordinary }) => {
    const name = row.name.toLowerCase();
    return reserved.has(name) || name.split(':').some((part) => reserved.has(part) && !ordinary.has(part));
  },
};
