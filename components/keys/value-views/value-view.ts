import type { KeyPreview, PreviewBytes } from '@/lib/model/keys/live-key';
import { hexText } from './hex-text';
import { jsonText } from './json-text';
import { isContainer, messagepackText } from './messagepack-text';

export const VALUE_VIEWS = ['text', 'json', 'messagepack', 'hex'] as const;
export type ValueView = (typeof VALUE_VIEWS)[number];

export const bytesOf = ({ base64 }: PreviewBytes): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
const isCut = (value: PreviewBytes, bytes: Uint8Array) => value.size === null || value.size > bytes.length;

/** The text of one value in a view; null: the value is not of that kind, and its plain text is shown instead. */
export function viewOf(value: PreviewBytes, view: Exclude<ValueView, 'text'>): string | null {
  const bytes = bytesOf(value);
  const cut = isCut(value, bytes);
  if (view === 'hex') return cut ? `${hexText(bytes)}\n…` : hexText(bytes);
  if (view === 'messagepack') return messagepackText(bytes, cut);
  try {
    // The cut may be in the middle of a character.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return jsonText(decoder.decode(bytes, { stream: cut }), cut);
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

/** The view that can read the first few values. JSON and MessagePack count only for objects and lists. */
export function guessView(preview: KeyPreview): ValueView {
  const values = preview.bytes
    .slice(0, 5)
    .flatMap((row) => row.filter((_, column) => isValueAt(preview.kind, column)))
    .slice(0, 5);
  if (values.length === 0) return 'text';
  const all = (test: (value: PreviewBytes) => boolean) => values.every(test);
  if (all((value) => /^\s*[{[]/.test(atob(value.base64)) && viewOf(value, 'json') !== null)) return 'json';
  if (all((value) => isContainer(bytesOf(value)) && viewOf(value, 'messagepack') !== null)) return 'messagepack';
  return 'text';
}
