import {
  COMPACT_ENCODINGS,
  COMPACT_MS,
  FREE_MICROSECONDS,
  LINKED_LIST_MICROSECONDS,
  STRING_MS_PER_BYTE,
} from '@/lib/model/keys/free-cost';
import { inWordsSql } from '@/lib/model/keys/in-list-sql';

/**
 * Estimates how many ms one DEL would block the server; null: unknown, as for modules, which free memory in their own
 * way.
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

/** Picoseconds per ms, the unit of `deleteBlocksSql`: cursors (keyset.ts) hold whole numbers only. */
export const PER_MS = 1e9;
const byType = Object.entries(FREE_MICROSECONDS).map(
  ([type, microseconds]) => `WHEN type = '${type}' THEN length * ${(microseconds * PER_MS) / 1000}`,
);

/** SQL for the estimate of `estimateDeleteMs` in picoseconds; NULL: unknown. A test checks that both agree. */
export const deleteBlocksSql = `CAST(CASE
  WHEN type = 'string' THEN coalesce(length, bytes) * ${STRING_MS_PER_BYTE * PER_MS}
  WHEN NOT ${inWordsSql('type', Object.keys(FREE_MICROSECONDS))} THEN NULL
  WHEN ${inWordsSql('encoding', COMPACT_ENCODINGS)} THEN ${COMPACT_MS * PER_MS}
  WHEN encoding = 'linkedlist' THEN length * ${(LINKED_LIST_MICROSECONDS * PER_MS) / 1000}
  ${byType.join('\n  ')} END AS BIGINT)`;
