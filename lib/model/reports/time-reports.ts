/** TTL and idle time: the shapes of these reports and their tables. */

import { toKnownBytes } from '../keys/known-bytes';
import { buildTable } from './table';
import { type TablesOf, type Totals, toMemoryCell, toRangeCell, toShareCell } from './totals';

export interface TtlBucket {
  fromSeconds: number;
  toSeconds: number | null;
  keys: number;
  bytes: number;
}

export interface ExpiryStorm {
  /** Start of the minute, epoch ms. */
  minute: number;
  prefix: string;
  keys: number;
  bytes: number;
  /** All keys of this prefix with an expiry, at any time. */
  ofKeys: number;
  /** How many keys of this prefix would expire per minute if expiries were spread evenly over its window. */
  expected: number;
}

export interface TtlReport {
  none: Totals;
  unknown: Totals;
  expired: Totals;
  any: Totals;
  buckets: TtlBucket[];
  timeline: { minuteMs: number; stepSeconds: number; keys: number; bytes: number }[];
  /**
   * Keys that expire after the timeline's end: including a few in the far future would make all others too small to
   * see.
   */
  later: Totals;
  storms: ExpiryStorm[];
  noExpiryByPrefix: (Totals & { prefix: string; share: number })[];
  shortest: { keys: number; underSeconds: number };
}

export interface IdleReport {
  kind: 'idle' | 'freq' | 'none';
  buckets: { from: number; to: number | null; keys: number; bytes: number }[];
  unknown: Totals;
  /**
   * How many of `unknown` are integers up to 9999, which the server stores once for all keys and which have no idle
   * time of their own.
   */
  sharedIntegers?: number;
  byPrefix: (Totals & { prefix: string; idleKeys: number; idleBytes: number })[];
  idleDays: number;
}

export interface TimeReports {
  ttl: TtlReport;
  idle: IdleReport;
}

export const TIME_TABLES: TablesOf<TimeReports> = {
  ttl: (r) => [
    buildTable(
      [
        { label: 'never', ...r.none },
        { label: 'already expired', ...r.expired },
        { label: 'unknown', ...r.unknown },
        ...r.buckets.map((b) => ({ ...b, label: [b.fromSeconds, b.toSeconds] as const })),
      ],
      [
        ['expires in', 'span', (b) => b.label],
        ['keys', 'number', (b) => b.keys],
        ['memory', 'bytes', toMemoryCell],
      ],
    ),
    buildTable(r.storms, [
      ['expiry storm (UTC)', 'text', (s) => new Date(s.minute).toISOString().slice(0, 16)],
      ['prefix', 'name', (s) => s.prefix],
      ['keys', 'number', (s) => s.keys],
      ['memory', 'bytes', toMemoryCell],
      ['of keys', 'number', (s) => s.ofKeys],
      ['expected', 'number', (s) => Math.round(s.expected)],
    ]),
    buildTable(r.noExpiryByPrefix, [
      ['prefix', 'name', (p) => p.prefix],
      ['keys', 'number', (p) => p.keys],
      ['memory', 'bytes', toMemoryCell],
      ['share', 'share', (p) => p.share],
    ]),
  ],
  // If the snapshot has neither figure, or the filter matches no key, the same tables are returned without rows.
  idle: ({ kind, buckets, byPrefix }) => [
    buildTable(buckets, [
      kind === 'freq'
        ? ['frequency', 'text', (b) => toRangeCell(String(b.from), b.to === null ? null : String(b.to))]
        : ['idle for', 'span', (b) => [b.from, b.to]],
      ['keys', 'number', (b) => b.keys],
      ['memory', 'bytes', toMemoryCell],
    ]),
    buildTable(byPrefix, [
      ['prefix', 'name', (p) => p.prefix],
      ['idle keys', 'number', (p) => p.idleKeys],
      ['idle memory', 'bytes', (p) => toKnownBytes({ keys: p.idleKeys, bytes: p.idleBytes })],
      ['keys', 'number', (p) => p.keys],
      ['memory', 'bytes', toMemoryCell],
      ['share', 'share', (p) => toShareCell(p.idleBytes, p.bytes)],
    ]),
  ],
};
