import type { KeyVerdict } from '@/lib/model/rules/findings';
import type { HyperloglogEncoding } from './hyperloglog';

/** The live key: facts now and a bounded preview; never the whole value. Bytes shown in display form. */
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
  /** Reading a preview touches the key (idle time is reset) unless the server has NO-TOUCH. */
  previewTouches: boolean;
  preview: KeyPreview | null;
  /** Against the policy of the instance, by the facts above; null: the key is not there. */
  verdict?: KeyVerdict | null;
  /** Why there is no preview although it was asked for: no right to read values, or reading would be too much. */
  previewProblem?: 'denied' | 'too_large' | null;
}
export interface KeyPreview {
  kind: 'string' | 'pairs' | 'items' | 'scored' | 'indexed' | 'entries' | 'unsupported';
  /**
   * string: one row, cut at 4 KiB. pairs: [field, value]. scored: [member, score]. indexed: [index, value]. entries:
   * [id, json]. Each of their cells cut at 512 bytes; what was cut ends in `…`. Bytes in display form.
   */
  rows: string[][];
  /** The same cells as bytes, cut at the same length; entries: the id, then all fields and values in their order. */
  bytes: PreviewBytes[][];
  /** Only of a string that begins with the header of a HyperLogLog. */
  hyperloglog?: HyperloglogEncoding;
  truncated: boolean;
  shown: number;
  total: number | null;
}

export interface PreviewBytes {
  base64: string;
  /** Of the whole value, also where it was cut; null: unknown. */
  size: number | null;
}
