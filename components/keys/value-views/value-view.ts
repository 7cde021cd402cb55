import type { KeyPreview, PreviewBytes } from '@/lib/model/keys/live-key';
import { formatMessagepack, isContainer } from './messagepack-text';

/** Deeper levels of JSON stay on one line. */
const MAX_INDENTED = 16;
/** A string (also one that is cut), a bracket or separator, or a word or number. */
const TOKEN = /\s*("(?:[^"\\]|\\[\s\S])*"?|[{}[\],:]|[^\s{}[\],:"]+)/y;

/**
 * JSON indented over several lines, token by token: numbers keep their digits (64-bit ids too), repeated fields are
 * kept, and a cut value is shown up to the cut. There is no recursion, so no nesting is too deep. null: the text is not
 * JSON. A cut text counts as JSON if it begins like an object or a list.
 */
export function formatJson(text: string, cut: boolean): string | null {
  if (!cut) {
    try {
      JSON.parse(text);
    } catch {
      return null;
    }
  } else if (!/^\s*[{[]/.test(text)) return null;
  let out = '';
  let depth = 0;
  let before = '';
  const breakLine = () => (depth < MAX_INDENTED ? `\n${'  '.repeat(depth)}` : '');
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const token = match[1] as string;
    if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      out += (before === '{' && token === '}') || (before === '[' && token === ']') ? token : breakLine() + token;
    } else {
      if (before === '{' || before === '[' || before === ',') out += breakLine();
      out += token === ':' ? ': ' : token;
      if (token === '{' || token === '[') depth++;
    }
    before = token;
  }
  return cut ? `${out}…` : out;
}

/** Bytes per line of a hex dump. */
const PER_LINE = 16;

/** Formats bytes like `hexdump -C`: offset, sixteen bytes, and which of them are printable ASCII. */
export function formatHexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += PER_LINE) {
    const part = [...bytes.subarray(offset, offset + PER_LINE)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${offset.toString(16).padStart(4, '0')}  ${hex.padEnd(PER_LINE * 3 - 1)}  ${ascii}`);
  }
  return lines.join('\n');
}

export const VALUE_VIEWS = ['text', 'json', 'messagepack', 'hex'] as const;
export type ValueView = (typeof VALUE_VIEWS)[number];

export const decodePreview = ({ base64 }: PreviewBytes): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
/** The text of one value in a view; null: the value is not of that kind, and its plain text is shown instead. */
export function formatInView(value: PreviewBytes, view: Exclude<ValueView, 'text'>): string | null {
  const bytes = decodePreview(value);
  const cut = value.size === null || value.size > bytes.length;
  if (view === 'hex') return cut ? `${formatHexDump(bytes)}\n…` : formatHexDump(bytes);
  if (view === 'messagepack') return formatMessagepack(bytes, cut);
  try {
    // The cut may be in the middle of a character.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return formatJson(decoder.decode(bytes, { stream: cut }), cut);
  } catch {
    return null;
  }
}

/** Whether the cell in this column holds a value; the others (fields, ids, scores) are shown as plain text. */
export const isValueAt = (kind: KeyPreview['kind'], column: number): boolean =>
  kind === 'pairs' || kind === 'indexed'
    ? column === 1
    : kind === 'entries'
      ? column > 0 && column % 2 === 0
      : column === 0;

/** Number of values that the guess of a view is based on. */
const GUESSED_FROM = 5;

/** The view that can read the first few values. JSON and MessagePack count only for objects and lists. */
export function guessView(preview: KeyPreview): ValueView {
  const values = preview.bytes
    .slice(0, GUESSED_FROM)
    .flatMap((row) => row.filter((_, column) => isValueAt(preview.kind, column)))
    .slice(0, GUESSED_FROM);
  if (values.length === 0) return 'text';
  if (values.every((value) => /^\s*[{[]/.test(atob(value.base64)) && formatInView(value, 'json') !== null))
    return 'json';
  if (values.every((value) => isContainer(decodePreview(value)) && formatInView(value, 'messagepack') !== null))
    return 'messagepack';
  return 'text';
}
