/**
 * What one DEL would cost the server, in ms of standing still. Measured on 7.0.15 with 2M elements (mean of the
 * ranges): hash 860 ms, zset 360, set 457, list ~1 (few large nodes); a 512 MB string 65 ms. Freeing is linear in the
 * number of allocations, so the figures scale by elements; compact encodings are one allocation. Streams free whole
 * radix nodes of ~100 entries; their figure is taken from lists, the nearest structure. Modules free as they like:
 * unknown.
 */
const MICROSECONDS_PER_ELEMENT: Record<string, number> = {
  hash: 0.43,
  zset: 0.18,
  set: 0.229,
  list: 0.0005,
  stream: 0.0005,
};
const STRING_MS_PER_BYTE = 65 / (512 * 1024 * 1024);
const COMPACT = new Set(['listpack', 'ziplist', 'intset', 'zipmap']);

export function deleteBlocksMs(key: {
  type: string | null;
  encoding: string | null;
  length: number | null;
  bytes: number | null;
}): number | null {
  if (key.type === 'string') {
    const bytes = key.length ?? key.bytes;
    return bytes === null ? null : bytes * STRING_MS_PER_BYTE;
  }
  const each = key.type === null ? undefined : MICROSECONDS_PER_ELEMENT[key.type];
  if (each === undefined) return null;
  if (key.encoding !== null && COMPACT.has(key.encoding)) return 0.001;
  return key.length === null ? null : (key.length * each) / 1000;
}
