/** Keys and bigkeys, one row per key. Shapes, and what they say as tables. */

import type { SplitAdvice } from '../rules/findings';
import { MAX_EXPIRE_AT } from '../snapshots/facts-page';
import type { KeyRow } from '../snapshots/snapshot';
import { type Column, tableOf } from './table';
import type { TablesOf, Totals } from './totals';

export interface KeysReport {
  rows: KeyRow[];
  total: number;
  totalBytes: number;
  sort: string;
  nextCursor: string | null;
}

export interface BigkeyRow extends KeyRow {
  /** Which threshold it crossed. */
  over: ('bytes' | 'elements')[];
  hazards: ('expires_blocking' | 'expires_soon' | 'one_field_hash' | 'huge_string')[];
  /** Estimated server time one DEL would block, ms. */
  delBlocksMs: number | null;
  /** Key rules it breaks under the policy, exempted ones not counted; absent: not asked. */
  violated?: string[];
  /** By the thresholds of the policy; absent: not asked. */
  split?: SplitAdvice | null;
}

export interface BigkeysReport {
  rows: BigkeyRow[];
  total: number;
  totalBytes: number;
  byType: (Totals & { type: string | null })[];
  thresholds: { stringBytes: number; elements: number; collectionBytes: number };
  /** Keys that may be bigkeys too: their element count (of a string its length) was not read. */
  unknown: number;
  /** As large, but by length or name a HyperLogLog, a bitmap or a geospatial index. */
  recognised: number;
  nextCursor: string | null;
}

const keyName: Column<KeyRow> = ['key', 'name', (k) => k.name];
const keyDb: Column<KeyRow> = ['db', 'number', (k) => k.db];
const keyType: Column<KeyRow> = ['type', 'text', (k) => k.type];
const keyBytes: Column<KeyRow> = ['memory', 'bytes', (k) => k.bytes];
const keyLength: Column<KeyRow> = ['elements', 'number', (k) => k.length];
const keyEncoding: Column<KeyRow> = ['encoding', 'text', (k) => k.encoding];
/** What may hurt beyond the size; merely large is what the whole report is about. */
const hazardsOf = ({ hazards, split }: BigkeyRow): string[] => [
  ...hazards,
  ...(split && split.severity !== 'large' ? [split.severity] : []),
];
/** Seconds, or the word for what has no number. */
const keyTtl = (asOf: number): Column<KeyRow> => [
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
    tableOf(rows, [
      keyName,
      keyDb,
      keyType,
      keyEncoding,
      keyBytes,
      keyLength,
      keyTtl(asOf),
      ['idle', 'seconds', (k) => k.idleSeconds],
      ['LFU', 'number', (k) => k.freq],
      ['hazards', 'text', (k) => hazardsOf(k).join(',')],
      // Absent: not asked, or not evaluated yet.
      ['rules', 'text', (k) => k.violated?.join(',') ?? null],
      ['DEL blocks', 'ms', (k) => k.delBlocksMs],
    ]),
  ],
  keys: ({ rows }, asOf) => [tableOf(rows, [keyName, keyDb, keyType, keyEncoding, keyBytes, keyLength, keyTtl(asOf)])],
};
