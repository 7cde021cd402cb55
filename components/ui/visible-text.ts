/** A part of a name: plain text, or one hidden character, with the text that is shown in its place. */
export type TextPiece = { text: string; hidden: false } | { text: string; hidden: true; codePoint: number };

/**
 * Characters that a reader could not see or that would reorder the line: controls, bidi marks, zero-width and other
 * format characters, line separators, lone surrogates, unusual spaces.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164\uffa0]|\u034f|[\ufe00-\ufe0f]/u;
/** Short escapes by code point. */
const SHORT: Record<number, string> = { 0: '\\0', 9: '\\t', 10: '\\n', 13: '\\r', 27: '\\e' };

/**
 * Splits a display name into plain text and hidden characters. Spaces at either end count as hidden too, except where
 * something was cut off (`cut`). The snapshot shows bytes that are not UTF-8 as `\xHH`; those stay plain text here.
 */
export function splitVisible(name: string, cut?: 'begin' | 'end'): TextPiece[] {
  const pieces: TextPiece[] = [];
  let plain = '';
  // Spaces between these two places are plain, unless the whole name is blank.
  const isBlank = name.trim() === '' && cut === undefined;
  const from = cut === 'begin' ? 0 : name.search(/[^ ]|$/);
  const to = cut === 'end' ? name.length : name.replace(/ +$/, '').length;
  let at = 0;
  for (const char of name) {
    const isHiddenSpace = char === ' ' && (isBlank || at < from || at >= to);
    at += char.length;
    if (!isHiddenSpace && !INVISIBLE.test(char)) {
      plain += char;
      continue;
    }
    if (plain !== '') pieces.push({ text: plain, hidden: false });
    plain = '';
    const codePoint = char.codePointAt(0) ?? 0;
    pieces.push({ text: escapeCodePoint(codePoint), hidden: true, codePoint });
  }
  if (plain !== '') pieces.push({ text: plain, hidden: false });
  return pieces;
}

/**
 * The name with its hidden characters made visible, as one line of text for `title` and other places without markup.
 */
export function toVisibleText(name: string): string {
  return splitVisible(name)
    .map((p) => p.text)
    .join('');
}

function escapeCodePoint(codePoint: number): string {
  if (codePoint === 0x20) return '␣';
  const short = SHORT[codePoint];
  if (short) return short;
  const hex = codePoint.toString(16).toUpperCase();
  return codePoint < 0x100 ? `\\x${hex.padStart(2, '0')}` : `U+${hex.padStart(4, '0')}`;
}
