import { HEX_GROUPS, UUID } from './name-words';

/** A part of a segment: a word, perhaps composed of several (userAdmin), or an id. */
export interface NamePiece {
  /** The signs before it; '' at the beginning of the segment. */
  sign: string;
  text: string;
  /** Empty if the piece is an id. */
  words: readonly string[];
}

const ID = `${UUID}|(?:19|20)[0-9]{2}[-_.][01][0-9](?:[-_.][0-3][0-9])?(?![0-9])`;
const PIECE = new RegExp(`([-_. ]*)(${ID}|[^-_. ]+)`, 'gy');
const IS_ID = new RegExp(`^(?:${ID}|[0-9]+|[a-z]{3,}[0-9]{1,3}|v[0-9]{1,2})$`);
const IS_HEX_GROUPS = new RegExp(`^(?:${HEX_GROUPS})$`);
const BLANKS = /[\p{Z}\s]+/gu;
const INVISIBLE = /\p{Cf}/gu;
const QUOTES = /^["'`]+|["'`]+$/g;
/** The words of a composed word: userAdmin, HTTPServer. */
const HUMP = /[A-Z]{2,5}(?=[A-Z][a-z])|[A-Z][a-z]+|^[a-z]+|[A-Z]{2,}$/g;

/**
 * Splits a segment that certainly consists of words, possibly with a number, a date or a UUID among them. null = it may
 * be an id or contain part of one: digits mixed with letters, or letters in an order that no word has.
 */
export function splitNamePieces(segment: string, dropsQuotes: boolean): NamePiece[] | null {
  const visible = segment.replace(INVISIBLE, '').replace(BLANKS, ' ');
  const text = dropsQuotes ? visible.replace(QUOTES, '') : visible;
  if (/[0-9]/.test(text) && IS_HEX_GROUPS.test(text)) return null;
  const pieces: NamePiece[] = [];
  let end = 0;
  for (const [whole, sign, piece] of text.matchAll(PIECE)) {
    end += whole.length;
    const words = IS_ID.test(piece!) ? [] : splitWords(piece!);
    const before = pieces.at(-1);
    // A sign at the beginning, or between two ids, may belong to an id.
    if (words === null || (before === undefined ? sign !== '' : words.length + before.words.length === 0)) return null;
    pieces.push({ sign: sign!, text: piece!, words });
  }
  return end === text.length && pieces.length > 0 ? pieces : null;
}

function splitWords(text: string): string[] | null {
  const words = text.match(HUMP) ?? [];
  return words.join('') === text && words.every(isWord) && !isCode(words) ? words : null;
}

/** More than two words, most of them with at most two letters: codes look like that, sentences do not. */
const isCode = (words: readonly string[]) =>
  words.length > 2 && words.filter((word) => word.length <= 2).length > words.length / 2;

/** Abbreviations need no vowel. Longer words have one, and never five consonants in a row. */
const isWord = (word: string) =>
  word.length <= 4 ? word.length > 1 || /[a-z]/.test(word) : /[aeiouy]/i.test(word) && !/[^aeiouy]{5}/i.test(word);
