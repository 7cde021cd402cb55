/** Keys and bigkeys, one row per key: the shapes of these reports and their tables. */

import type { SplitAdvice } from '../rules/findings';
import { MAX_EXPIRE_AT } from '../snapshots/facts-page';
import type { KeyRow } from '../snapshots/snapshot';
import { buildTable, type Column } from './table';
import type { TablesOf, Totals } from './totals';

export interface KeysReport {
  rows: KeyRow[];
  total: number;
  totalBytes: number;
  sort: string;
  nextCursor: string | null;
}

export interface BigkeyRow extends KeyRow {
  /** Which threshold the key exceeds. */
  over: ('bytes' | 'elements')[];
  hazards: ('expires_blocking' | 'expires_soon' | 'one_field_hash' | 'huge_string')[];
  /** Estimated server time in ms for which one DEL would block. */
  delBlocksMs: number | null;
  /** Key rules that the key violates under the policy, without exempted ones; absent = not requested. */
  violated?: string[];
  /** Computed with the thresholds of the policy; absent = not requested. */
  split?: SplitAdvice | null;
}

export interface BigkeysReport {
  rows: BigkeyRow[];
  total: number;
  totalBytes: number;
  byType: (Totals & { type: string | null })[];
  thresholds: { stringBytes: number; elements: number; collectionBytes: number };
  /** Keys that may be bigkeys too: their element count (for a string, its length) was not read. */
  unknown: number;
  /** Equally large keys that by length or name are a HyperLogLog, a bitmap or a geospatial index. */
  recognised: number;
  nextCursor: string | null;
}

const keyName: Column<KeyRow> = ['key', 'name', (k) => k.name];
const keyDb: Column<KeyRow> = ['db', 'number', (k) => k.db];
const keyType: Column<KeyRow> = ['type', 'text', (k) => k.type];
const keyBytes: Column<KeyRow> = ['memory', 'bytes', (k) => k.bytes];
const keyLength: Column<KeyRow> = ['elements', 'number', (k) => k.length];
const keyEncoding: Column<KeyRow> = ['encoding', 'text', (k) => k.encoding];
/** Hazards beyond the size. The severity `large` is left out, because every key of this report is large. */
const listHazards = ({ hazards, split }: BigkeyRow): string[] => [
  ...hazards,
  ...(split && split.severity !== 'large' ? [split.severity] : []),
];
/** The remaining time in seconds, or a word if there is no number. */
const buildTtlColumn = (asOf: number): Column<KeyRow> => [
  'ttl',
  'seconds',
  ({ expireAt, expiryKnown }) => {
    if (!expiryKnown) return null;
    if (expireAt === null) return 'none';
    if (expireAt <= asOf) return 'expired';
    return expireAt >= MAX_EXPIRE_AT ? 'beyond the date range' : (expireAt - asOf) / 1000;
  },
];

export interface KeyReports {
  bigkeys: BigkeysReport;
  keys: KeysReport;
}

export const KEY_TABLES: TablesOf<KeyReports> = {
  bigkeys: ({ rows }, asOf) => [
    buildTable(rows, [
      keyName,
      keyDb,
      keyType,
      keyEncoding,
      keyBytes,
      keyLength,
      buildTtlColumn(asOf),
      ['idle', 'seconds', (k) => k.idleSeconds],
      ['LFU', 'number', (k) => k.freq],
      ['hazards', 'text', (k) => listHazards(k).join(',')],
      // null = not requested, or not evaluated yet.
      ['rules', 'text', (k) => k.violated?.join(',') ?? null],
      ['DEL blocks', 'ms', (k) => k.delBlocksMs],
    ]),
  ],
  keys: ({ rows }, asOf) => [
    buildTable(rows, [keyName, keyDb, keyType, keyEncoding, keyBytes, keyLength, buildTtlColumn(asOf)]),
  ],
};
