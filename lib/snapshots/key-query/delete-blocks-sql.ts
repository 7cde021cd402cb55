import {
  COMPACT_ENCODINGS,
  COMPACT_MS,
  FREE_MICROSECONDS,
  LINKED_LIST_MICROSECONDS,
  STRING_MS_PER_BYTE,
} from '@/lib/model/keys/free-cost';
import { inWordsSql } from '@/lib/model/keys/in-list-sql';

/**
 * Picoseconds per ms. `deleteBlocksSql` is the estimated time that one DEL blocks the server, in whole picoseconds, for
 * sorting. A test checks that it agrees with `estimateDeleteMs` (lib/snapshots/reports/delete-cost.ts). NULL: unknown.
 */
export const PER_MS = 1e9;
const quoteText = (value: string) => `'${value}'`;
const each = Object.entries(FREE_MICROSECONDS).map(
  ([type, microseconds]) => `WHEN type = ${quoteText(type)} THEN length * ${(microseconds * PER_MS) / 1000}`,
);

export const deleteBlocksSql = `CAST(CASE
  WHEN type = 'string' THEN coalesce(length, bytes) * ${STRING_MS_PER_BYTE * PER_MS}
  WHEN NOT ${inWordsSql('type', Object.keys(FREE_MICROSECONDS))} THEN NULL
  WHEN ${inWordsSql('encoding', COMPACT_ENCODINGS)} THEN ${COMPACT_MS * PER_MS}
  WHEN encoding = 'linkedlist' THEN length * ${(LINKED_LIST_MICROSECONDS * PER_MS) / 1000}
  ${each.join('\n  ')} END AS BIGINT)`;
