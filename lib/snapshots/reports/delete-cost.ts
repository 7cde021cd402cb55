import {
  COMPACT_ENCODINGS,
  COMPACT_MS,
  FREE_MICROSECONDS,
  LINKED_LIST_MICROSECONDS,
  STRING_MS_PER_BYTE,
} from '@/lib/model/keys/free-cost';

/**
 * Estimates how many ms one DEL would block the server; null: unknown, as for modules, which free memory in their own
 * way. The same estimate in SQL, to order by, is in lib/snapshots/key-query/delete-blocks-sql.ts.
 */

export function estimateDeleteMs(key: {
  type: string | null;
  encoding: string | null;
  length: number | null;
  bytes: number | null;
}): number | null {
  if (key.type === 'string') {
    const bytes = key.length ?? key.bytes;
    return bytes === null ? null : bytes * STRING_MS_PER_BYTE;
  }
  const each =
    key.type !== null && Object.hasOwn(FREE_MICROSECONDS, key.type) ? FREE_MICROSECONDS[key.type] : undefined;
  if (each === undefined) return null;
  if (key.encoding !== null && COMPACT_ENCODINGS.includes(key.encoding)) return COMPACT_MS;
  if (key.length === null) return null;
  return (key.length * (key.encoding === 'linkedlist' ? LINKED_LIST_MICROSECONDS : each)) / 1000;
}
