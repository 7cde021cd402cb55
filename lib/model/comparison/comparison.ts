/**
 * Two sealed snapshots compared: `now` is the one that is asked about, `before` the one it is compared with, which may be newer. Bytes are
 * MEMORY USAGE bytes, times epoch ms, null = unknown.
 */

import { z } from 'zod';
import { ReportQuery } from '../reports/query';
import type { KeyRow } from '../snapshots/snapshot';
import { CHANGES, type Change, GROUPINGS, type Grouping, SINCE_PREVIOUS } from './comparison-words';
import { Since } from './since';

const Scope = ReportQuery.pick({ prefix: true, template: true });
/** The snapshot to compare with, and the part of the keyspace that is compared; no part = everything. */
export const ComparisonQuery = Scope.extend({ with: Since.default(SINCE_PREVIOUS) });
export type ComparisonQuery = z.infer<typeof ComparisonQuery>;

const Page = ComparisonQuery.extend(ReportQuery.pick({ limit: true, cursor: true }).shape);
/** One list of groups. Without `change` all groups are listed that differ. Sorted by the difference in memory. */
export const ComparedGroupsQuery = Page.extend({
  by: z.enum(GROUPINGS).default('prefix'),
  change: z.enum(CHANGES).optional(),
});
export type ComparedGroupsQuery = z.infer<typeof ComparedGroupsQuery>;

/** One list of keys in the order of names; `big`: only bigkeys, where a key is new when it was none before. */
export const ComparedKeysQuery = Page.extend({ change: z.enum(CHANGES).default('new'), big: ReportQuery.shape.big });
export type ComparedKeysQuery = z.infer<typeof ComparedKeysQuery>;

/** Why the two are not compared as a whole, or what the reader of the figures has to know. */
export interface ComparisonNote {
  /**
   * databases, exceptDatabases, prefix, slots: only these are compared, because one of the two did not read the others.
   * partialNow, partialBefore: that scan missed keys which cannot be named; they look gone or new. otherInstance: two
   * instances; findings of both are judged by the policy of `now`. policy: `before` was evaluated under another policy,
   * both are judged by today's. thresholds: the totals count bigkeys by the limits of each instance. clusters: only one of the two is a cluster. facts: one of the two read fewer facts.
   */
  code:
    | 'databases'
    | 'exceptDatabases'
    | 'prefix'
    | 'slots'
    | 'partialNow'
    | 'partialBefore'
    | 'otherInstance'
    | 'policy'
    | 'thresholds'
    | 'clusters'
    | 'facts';
  params: Record<string, string | number>;
}

export interface SumTotals {
  keys: number;
  /** The sum over the keys whose memory is known; null = it is known of none. */
  bytes: number | null;
  bytesUnknown: number;
  noExpiry: number;
  bigkeys: number;
}

/** null: there are no such keys in that snapshot. */
export interface ComparedGroup {
  /** A prefix or a template, with every id folded (KeyFilter.template). */
  name: string;
  change: Change | null;
  now: SumTotals | null;
  before: SumTotals | null;
}

export type ChangeCounts = Record<Change, number>;

export interface ComparedSide {
  snapshotId: string;
  instanceId: string | null;
  instanceName: string;
  startedAt: number;
  /** Of the compared part. */
  totals: SumTotals;
}

/** What differs in the keys themselves. `bytes` is the memory of new or gone keys, or the difference of changed ones. */
export interface KeyChanges {
  keys: Record<Change, { keys: number; bytes: number | null }>;
  bigkeys: ChangeCounts;
  /** Keys that are in both and use the same memory. */
  same: number;
  /** Keys that are in both, of which neither memory nor elements can be compared. */
  unknown: number;
  /** The keys of each change that use or gained or lost the most memory. */
  largest: Record<Change, ComparedKey[]>;
}

export interface ComparedKey {
  k: string | null;
  name: string;
  db: number;
  now: ComparedFacts | null;
  before: ComparedFacts | null;
}
export type ComparedFacts = Pick<KeyRow, 'type' | 'bytes' | 'length'>;

export interface RuleChange {
  rule: string;
  /** Title of a custom rule; null = the catalogue has it. */
  title: string | null;
  strength: 'mandatory' | 'recommended' | 'advice';
  newKeys: number;
  fixedKeys: number;
  goneKeys: number;
  /** The first new keys in the order of names. */
  examples: string[];
}

/** Answer of GET /api/snapshots/:id/compare. */
export interface Comparison {
  now: ComparedSide;
  before: ComparedSide;
  notes: ComparisonNote[];
  groups: Record<Grouping, ChangeCounts>;
  /** null: it is being computed; ask again. */
  keys: KeyChanges | null;
  /** Key rules with changes, the strongest first. null: it is being computed; ask again. */
  rules: RuleChange[] | null;
}

/** Answer of GET /api/snapshots/:id/compare/groups. */
export interface ComparedGroups {
  rows: ComparedGroup[];
  total: number;
  nextCursor: string | null;
}

/** Answer of GET /api/snapshots/:id/compare/keys. A page may have fewer rows than asked for, and still a next one. */
export interface ComparedKeys {
  rows: ComparedKey[];
  nextCursor: string | null;
  /** The comparison has not ended yet: ask again. */
  waiting: boolean;
}

/** One key in one snapshot; `row` null: it is not in it. */
export interface KeyHistoryRow {
  snapshotId: string;
  startedAt: number;
  /** When TTLs are counted from. */
  asOf: number;
  /** Whether the scan was limited to a part of the keyspace, or could not read all of it: the key may have existed. */
  isPart: boolean;
  row: KeyRow | null;
}
