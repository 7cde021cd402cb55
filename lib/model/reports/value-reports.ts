/** Types, sizes and slots: the shapes of these reports and their tables. */

import type { SettingSavings } from './setting-savings';
import { buildTable } from './table';
import { type TablesOf, type Totals, type TypeShare, toMemoryCell, toShareCell } from './totals';

export interface SlotsReport {
  clustered: boolean;
  /** Sparse: only slots with keys; parallel arrays keep 16,384 entries small. */
  slots: { slot: number[]; keys: number[]; bytes: number[] };
  nodes: (Totals & { node: number; address: string; role: string; slotCount: number; ranges: [number, number][] })[];
  skew: {
    meanKeys: number;
    meanBytes: number;
    maxKeysOverMean: number | null;
    maxBytesOverMean: number | null;
    emptySlots: number;
  };
  heaviest: { slot: number; node: number | null; keys: number; bytes: number; example: string }[];
  tags: { tag: string; slot: number; keys: number; bytes: number; shareKeys: number; shareBytes: number }[];
  tagCount: number;
  /** "Spread over N masters" with even slot ranges: keys and bytes per master. */
  simulation: { masters: number; keys: number[]; bytes: number[]; maxOverMean: number | null } | null;
}

export interface TypesReport {
  types: TypeShare[];
  encodings: (Totals & { type: string | null; encoding: string | null; avgBytes: number | null })[];
  savings?: SettingSavings;
}

/** Parallel arrays with one entry per class of `bounds`. */
export interface SizeCounts {
  keys: number[];
  bytes: number[];
}

export interface SizesReport extends Totals {
  /**
   * The lower bound of each class of memory, ascending, from 0; the last class has no upper bound. Trailing empty
   * classes are left out.
   */
  bounds: number[];
  all: SizeCounts;
  byType: (Totals & { type: string | null; counts: SizeCounts })[];
}

export interface ValueReports {
  slots: SlotsReport;
  types: TypesReport;
  sizes: SizesReport;
}

export const VALUE_TABLES: TablesOf<ValueReports> = {
  slots: (r) => [
    buildTable(r.nodes, [
      ['node', 'text', (n) => n.address],
      ['role', 'text', (n) => n.role],
      ['slots', 'number', (n) => n.slotCount],
      ['keys', 'number', (n) => n.keys],
      ['memory', 'bytes', toMemoryCell],
    ]),
    buildTable(r.heaviest, [
      ['largest slots', 'number', (s) => String(s.slot)],
      ['keys', 'number', (s) => s.keys],
      ['memory', 'bytes', toMemoryCell],
      ['example', 'name', (s) => s.example],
    ]),
    buildTable(r.tags, [
      ['hash tag', 'name', (t) => t.tag],
      ['slot', 'number', (t) => String(t.slot)],
      ['keys', 'number', (t) => t.keys],
      ['memory', 'bytes', toMemoryCell],
      ['share', 'share', (t) => t.shareKeys],
    ]),
  ],
  types: ({ types, encodings, savings }) => [
    buildTable(encodings, [
      ['type', 'text', (e) => e.type ?? 'unknown'],
      ['encoding', 'text', (e) => e.encoding],
      ['keys', 'number', (e) => e.keys],
      ['memory', 'bytes', toMemoryCell],
      ['average', 'bytes', (e) => e.avgBytes],
    ]),
    buildTable(types, [
      ['type', 'text', (t) => t.type ?? 'unknown'],
      ['keys', 'number', (t) => t.keys],
      ['memory', 'bytes', toMemoryCell],
      ['average', 'bytes', (t) => t.avgBytes],
      ['median', 'bytes', (t) => t.p50Bytes],
      ['p99', 'bytes', (t) => t.p99Bytes],
      ['largest', 'bytes', (t) => t.maxBytes],
      // A key of unknown type has no known expiry either.
      ['with expiry', 'share', (t) => (t.type === null ? null : toShareCell(t.withExpiry, t.keys))],
    ]),
    buildTable(savings?.savings ?? [], [
      ['setting', 'text', (s) => s.setting],
      ['limit', 'number', (s) => s.limit],
      ['keys', 'number', (s) => s.keys],
      ['memory', 'bytes', (s) => s.bytes],
      ['saved', 'bytes', (s) => s.savedBytes],
      ['only if', 'text', (s) => (s.ifIntegers ? 'members are integers' : '')],
    ]),
  ],
  sizes: ({ bounds, all, byType }) => [
    buildTable(
      bounds.map((from, i) => ({ from, keys: all.keys[i] ?? 0, total: all.bytes[i] ?? 0 })),
      [
        ['size from', 'bytes', (b) => b.from],
        ['keys', 'number', (b) => b.keys],
        ['memory', 'bytes', (b) => b.total],
      ],
    ),
    buildTable(
      byType.flatMap((t) => bounds.map((from, i) => ({ type: t.type, from, keys: t.counts.keys[i] ?? 0 }))),
      [
        ['type', 'text', (b) => b.type ?? 'unknown'],
        ['size from', 'bytes', (b) => b.from],
        ['keys', 'number', (b) => b.keys],
      ],
    ),
  ],
};
