import type { KeyVerdict } from '@/lib/model/rules/findings';
import type { HyperloglogEncoding } from './hyperloglog';

/**
 * A key on the live server: its present facts and a bounded preview, never the whole value. Bytes are in display form.
 */
export interface LiveKey {
  k: string;
  name: string;
  nameBytes: number;
  db: number;
  exists: boolean;
  address: string;
  slot: number;
  tag: string | null;
  type: string | null;
  encoding: string | null;
  bytes: number | null;
  length: number | null;
  ttlMs: number | null;
  expiryKnown: boolean;
  idleSeconds: number | null;
  freq: number | null;
  /** Reading a preview accesses the key, which resets its idle time unless the server has NO-TOUCH. */
  previewTouches: boolean;
  preview: KeyPreview | null;
  /** The result of the instance's policy for these facts; null = the key does not exist. */
  verdict?: KeyVerdict | null;
  /** Why there is no preview although it was requested: no right to read values, or reading would cost too much. */
  previewProblem?: 'denied' | 'too_large' | null;
}
export interface KeyPreview {
  kind: 'string' | 'pairs' | 'items' | 'scored' | 'indexed' | 'entries' | 'unsupported';
  /**
   * string: one row, cut at 4 KiB. pairs: [field, value]. scored: [member, score]. indexed: [index, value]. entries:
   * [id, json]. Except for strings each cell is cut at 512 bytes; a cut text ends in `…`. Bytes are in display form.
   */
  rows: string[][];
  /** The same cells as bytes, cut at the same length; for entries the id, then all fields and values in order. */
  bytes: PreviewBytes[][];
  /** Only for a string that begins with the header of a HyperLogLog. */
  hyperloglog?: HyperloglogEncoding;
  truncated: boolean;
  shown: number;
  total: number | null;
}

export interface PreviewBytes {
  base64: string;
  /** Bytes of the whole value, even if it was cut; null = unknown. */
  size: number | null;
}
