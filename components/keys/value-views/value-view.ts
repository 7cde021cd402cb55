import { toDisplayName } from '@/lib/model/keys/display-name';
import type { KeyPreview, PreviewBytes } from '@/lib/model/keys/live-key';
import { decompress } from './decompress';
import { formatJava, looksLikeJava } from './java-text';
import { formatMessagepack, isContainer } from './messagepack-text';
import { formatPhp, looksLikePhp } from './php-text';

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

export const VALUE_VIEWS = ['text', 'json', 'messagepack', 'php', 'java', 'compressed', 'hex'] as const;
export type ValueView = (typeof VALUE_VIEWS)[number];
/** Views that are offered only if one of the first values can be read in them. */
const RARE_VIEWS: readonly ValueView[] = ['php', 'java', 'compressed'];

export const decodePreview = ({ base64 }: PreviewBytes): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
/** The text of one value in a view; null: the value is not of that kind, and its plain text is shown instead. */
export function formatInView(value: PreviewBytes, view: Exclude<ValueView, 'text'>): string | null {
  const bytes = decodePreview(value);
  const cut = value.size === null || value.size > bytes.length;
  if (view === 'hex') return cut ? `${formatHexDump(bytes)}\n…` : formatHexDump(bytes);
  return formatBytes(bytes, cut, view);
}

function formatBytes(bytes: Uint8Array, cut: boolean, view: Exclude<ValueView, 'text' | 'hex'>): string | null {
  if (view === 'messagepack') return formatMessagepack(bytes, cut);
  if (view === 'php') return formatPhp(bytes, cut);
  if (view === 'java') return formatJava(bytes, cut);
  if (view === 'compressed') return formatCompressed(bytes, cut);
  try {
    // The cut may be in the middle of a character.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return formatJson(decoder.decode(bytes, { stream: cut }), cut);
  } catch {
    return null;
  }
}

/** Shows a value that gzip or zlib has compressed, in the view that can read it, else as text. */
function formatCompressed(bytes: Uint8Array, cut: boolean): string | null {
  const inside = decompress(bytes, cut);
  if (inside === null) return null;
  const view = (['json', 'php', 'java', 'messagepack'] as const).find((one) => isIn(inside.bytes, !inside.whole, one));
  const text = view ? formatBytes(inside.bytes, !inside.whole, view) : null;
  return text ?? `${toDisplayName(inside.bytes).name}${inside.whole ? '' : '…'}`;
}

/** Whether the bytes are a value of the view. JSON, MessagePack and PHP count only for what has parts, or a length. */
function isIn(bytes: Uint8Array, cut: boolean, view: Exclude<ValueView, 'text' | 'hex'>): boolean {
  const looks = {
    json: () => /^\s*[{[]/.test(new TextDecoder().decode(bytes.subarray(0, 64))),
    messagepack: () => isContainer(bytes),
    php: () => looksLikePhp(bytes),
    java: () => looksLikeJava(bytes),
    compressed: () => true,
  };
  return looks[view]() && formatBytes(bytes, cut, view) !== null;
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

/** The first values of a preview. */
const listFirstValues = (preview: KeyPreview): PreviewBytes[] =>
  preview.bytes
    .slice(0, GUESSED_FROM)
    .flatMap((row) => row.filter((_, column) => isValueAt(preview.kind, column)))
    .slice(0, GUESSED_FROM);

const isValueIn = (value: PreviewBytes, view: Exclude<ValueView, 'text' | 'hex'>): boolean => {
  const bytes = decodePreview(value);
  return isIn(bytes, value.size === null || value.size > bytes.length, view);
};

/** The view that can read the first few values. */
export function guessView(preview: KeyPreview): ValueView {
  const values = listFirstValues(preview);
  const views = ['json', 'messagepack', 'php', 'java', 'compressed'] as const;
  if (values.length === 0) return 'text';
  return views.find((view) => values.every((value) => isValueIn(value, view))) ?? 'text';
}

/** The views that are offered for a preview: the rare ones only if one of its first values can be read in them. */
export function listReadableViews(preview: KeyPreview): ValueView[] {
  const values = listFirstValues(preview);
  return VALUE_VIEWS.filter(
    (view) =>
      view === 'text' || view === 'hex' || !RARE_VIEWS.includes(view) || values.some((value) => isValueIn(value, view)),
  );
}
