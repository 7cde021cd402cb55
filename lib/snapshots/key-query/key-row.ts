import { encodeKey } from '@/lib/model/keys/key-id';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';

/** The columns of a listed key; `toKeyRow` converts them to the model. */
export const keyColumns =
  'name, raw, sha256, name_bytes, node, db, type, encoding, expire_at, expiry_known, bytes, length, idle_seconds, freq, slot, tag';

export type KeyColumns = Record<string, unknown> & {
  name: string;
  raw: Uint8Array | null;
  sha256: string | null;
  name_bytes: number;
  node: number;
  db: number;
  type: string | null;
  encoding: string | null;
  expire_at: number | null;
  expiry_known: boolean;
  bytes: number | null;
  length: number | null;
  idle_seconds: number | null;
  freq: number | null;
  slot: number;
  tag: string | null;
};

/** Returns the bytes of the name; null if only its beginning was kept. */
export function getNameBytes(row: Pick<KeyColumns, 'name' | 'raw' | 'sha256'>): Buffer | null {
  if (row.sha256 !== null) return null;
  return row.raw === null ? Buffer.from(row.name) : Buffer.from(row.raw);
}

export function toKeyRow(row: KeyColumns): KeyRow {
  const bytes = getNameBytes(row);
  return {
    k: bytes === null ? null : encodeKey(bytes),
    name: row.name,
    nameBytes: row.name_bytes,
    node: row.node,
    db: row.db,
    type: row.type,
    encoding: row.encoding,
    expireAt: row.expire_at,
    expiryKnown: row.expiry_known,
    bytes: row.bytes,
    length: row.length,
    idleSeconds: row.idle_seconds,
    freq: row.freq,
    slot: row.slot,
    tag: row.tag,
  };
}
