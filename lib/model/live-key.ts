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
}
export interface KeyPreview {
  kind: 'string' | 'pairs' | 'items' | 'scored' | 'entries' | 'unsupported';
  /** string: one row. pairs: [field, value]. scored: [member, score]. entries: [id, json]. Each cell cut at 512 bytes. */
  rows: string[][];
  truncated: boolean;
  shown: number;
  total: number | null;
}
