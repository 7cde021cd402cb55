import type { FindingCounts, SplitAdvice } from '../rules/findings';
import type { Preparation } from '../snapshots/preparation';
import type { KeyRow } from '../snapshots/snapshot';
import type { SettingSavings } from './setting-savings';

/**
 * The result shapes of the reports. Bytes are MEMORY USAGE bytes, times epoch ms, shares 0…1; null = unknown.
 * Every report comes in an envelope that says whether the scan still runs (`live`) and how much it has read.
 *
 * The file is long because it has the shape of every report.
 */
export interface ReportEnvelope<T> {
  snapshotId: string;
  live: boolean;
  /** End of the scan, or now while it runs: the moment TTLs are counted from. */
  asOf: number;
  keysInSnapshot: number;
  /** Absent when nothing is being prepared. */
  preparing?: Preparation;
  tookMs: number;
  report: T;
}

export interface Totals {
  keys: number;
  /** Sum over keys whose size is known. */
  bytes: number;
  bytesUnknown: number;
}

export interface TypeShare extends Totals {
  type: string | null;
  avgBytes: number | null;
  p50Bytes: number | null;
  p99Bytes: number | null;
  maxBytes: number | null;
  withExpiry: number;
}

export interface OverviewReport extends Totals {
  types: TypeShare[];
  expiry: { none: number; any: number; unknown: number; expired: number };
  bigkeys: number;
  bigkeyBytes: number;
  /** Keys of which it is unknown whether they are; absent in snapshots that were sealed before it was counted. */
  bigkeysUnknown?: number;
  databases: (Totals & { db: number })[];
  nodes: (Totals & { node: number; address: string })[];
  topPrefixes: TreeNode[];
  prefixCount: number;
}

export interface TreeNode extends Totals {
  /** Segment as shown: the text itself, or `{int}` `{uuid}` `{hex}` `{date}` `{email}` `{b64}` for folded ids. */
  segment: string;
  /** Full path up to here, ids folded on the way as the request had them. Ends with the delimiter for branches. */
  path: string;
  /** Below here all keys go on together to this path; `path` where they part at once, or that is not known. */
  endPath: string;
  /** The largest parts below `endPath`, where the question asks for them and they are known. */
  below?: { segment: string; path: string; keys: number; bytes: number }[];
  /** `segment` stands for many. */
  folds: boolean;
  /** How many different segments it stands for; null: for itself, or their number is not known. */
  folded: number | null;
  /** Keys whose name ends here. */
  leafKeys: number;
  /** Keys that go on below. 0 = last level. */
  branchKeys: number;
  avgBytes: number | null;
  maxBytes: number | null;
  noExpiry: number;
  ttlP50Seconds: number | null;
  bigkeys: number;
  types: Record<string, number>;
  example: string;
  /** Keys with findings below here; absent or null: not (yet) known. */
  findings?: FindingCounts | null;
}

export interface TreeReport extends Totals {
  path: string;
  depth: number;
  delimiter: string;
  sort: string;
  children: TreeNode[];
  /** Children that are not on this page, summed, so that shares add up. */
  rest: (Totals & { nodes: number }) | null;
  childCount: number;
  /** Place of the first of `children` among all in this order, from 0. */
  offset: number;
  /** The next page of children; null: these are the last. */
  nextCursor: string | null;
}

export interface PatternRow extends Totals {
  template: string;
  types: Record<string, number>;
  noExpiry: number;
  minTtlSeconds: number | null;
  p50TtlSeconds: number | null;
  maxTtlSeconds: number | null;
  avgBytes: number | null;
  example: string;
}

export interface PatternsReport {
  patterns: PatternRow[];
  templateCount: number;
  /** The next page; null: these are the last. */
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
  /** Keys of this prefix one would expect in a minute if expiries were spread evenly over its window. */
  expected: number;
  times: number;
}

export interface TtlReport {
  none: Totals;
  unknown: Totals;
  expired: Totals;
  any: Totals;
  buckets: TtlBucket[];
  timeline: { minuteMs: number; stepSeconds: number; keys: number; bytes: number }[];
  /** What expires beyond the timeline's end: a few keys of a far future would leave nothing to see of the others. */
  later: Totals;
  storms: ExpiryStorm[];
  noExpiryByPrefix: (Totals & { prefix: string; share: number })[];
  shortest: { keys: number; underSeconds: number };
}

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

export interface IdleReport {
  kind: 'idle' | 'freq' | 'none';
  buckets: { from: number; to: number | null; keys: number; bytes: number }[];
  unknown: Totals;
  /**
   * Of `unknown`: integers up to 9999, which the server keeps once for all keys and which have no idle time of a key.
   */
  sharedIntegers?: number;
  byPrefix: (Totals & { prefix: string; idleKeys: number; idleBytes: number })[];
  idleDays: number;
}

/** Parallel arrays: one entry per class of `bounds`. */
export interface SizeCounts {
  keys: number[];
  bytes: number[];
}

export interface SizesReport extends Totals {
  /** Where each class of memory begins, ascending, from 0; the last has no end. Trailing empty classes are left out. */
  bounds: number[];
  all: SizeCounts;
  byType: (Totals & { type: string | null; counts: SizeCounts })[];
}

/** Of a name's characters: `lower` (a-z 0-9 : _ . { } -), capital letters beside them, and so on to what is no text. */
export type NameCharacters = 'lower' | 'upper' | 'signs' | 'spaces' | 'unicode' | 'binary';
export interface NamesReport {
  keys: number;
  /** All names together, and the longest one. */
  nameBytes: number;
  maxNameBytes: number | null;
  /** Half-open [from, to) bytes of the name. */
  lengths: { from: number; to: number | null; keys: number; nameBytes: number }[];
  /** By number of segments; the last entry counts as many and more. */
  segments: { segments: number; orMore: boolean; keys: number; example: string }[];
  characters: { kind: NameCharacters; keys: number; example: string }[];
  /** A name may be in several styles, or (ids, other scripts) in none. */
  styles: { style: string; keys: number; example: string }[];
  /** Keys whose name is in more than one style; a plain lower-case word fits every style but capitals. */
  mixed: number;
}

export interface KeysReport {
  rows: KeyRow[];
  total: number;
  totalBytes: number;
  sort: string;
  nextCursor: string | null;
}

export interface ReportResults {
  overview: OverviewReport;
  tree: TreeReport;
  patterns: PatternsReport;
  bigkeys: BigkeysReport;
  ttl: TtlReport;
  slots: SlotsReport;
  types: TypesReport;
  idle: IdleReport;
  sizes: SizesReport;
  names: NamesReport;
  keys: KeysReport;
}

export type ReportName = keyof ReportResults;
