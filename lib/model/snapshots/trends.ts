/**
 * Values over time. Each scan of a whole keyspace adds one point to each of its series, and the points are kept when
 * the snapshot is removed. Bytes are MEMORY USAGE bytes, times epoch ms; null = unknown, never 0.
 */

import { z } from 'zod';

/**
 * What a series is about, and its key: the whole keyspace (''), a node (its address), a rule (its id), a team (its name,
 * '' = keys without an owner), a prefix or a template (folded, as the tree and the templates page show it), one key
 * (`0:<id>`, with its database).
 */
export const DIMENSIONS = ['total', 'node', 'rule', 'team', 'prefix', 'template', 'key'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Dimensions that a person may pin. */
const PINNED = ['prefix', 'template'] as const;

/** The longest key of a series, in bytes of UTF-8. A longer prefix or key has no series. */
export const MAX_SERIES_KEY = 1024;

/** Body of POST and DELETE /api/instances/{id}/trends/pins. */
export const TrendPin = z.object({
  dim: z.enum(PINNED),
  key: z
    .string()
    .min(1)
    .max(MAX_SERIES_KEY)
    .refine((key) => new TextEncoder().encode(key).length <= MAX_SERIES_KEY, 'It is too long to be pinned.'),
});
export type TrendPin = z.infer<typeof TrendPin>;

/** Query of GET /api/instances/{id}/trends/series. */
export const SeriesQuery = z.object({
  dim: z.enum(DIMENSIONS).default('total'),
  key: z.string().max(MAX_SERIES_KEY).default(''),
});
export type SeriesQuery = z.infer<typeof SeriesQuery>;

/** What is measured. `found`: keys (of a server rule: nodes) with findings. `elements`: of one collection. */
export const MEASURES = [
  'keys',
  'bytes',
  'noExpiry',
  'bigkeys',
  'found',
  'elements',
  'score',
  'usedBytes',
  'maxBytes',
] as const;
export type Measure = (typeof MEASURES)[number];

/** The values of a series at the start of a scan. `maxBytes`: maxmemory, 0 = no limit. */
export type TrendPoint = { at: number } & Record<Measure, number | null>;

/** Under which conditions the points of a scan were measured. Points are comparable if these are equal. */
export interface TrendScan {
  /** Start of the scan. */
  at: number;
  snapshotId: string;
  policyHash: string;
  /** The databases that the settings of the instance limit scans to; null = all. */
  databases: string | null;
  /** What the scan read of each key: `facts/counts` of its options. */
  coverage: string;
  maxmemoryPolicy: string | null;
}

/** Why two points are not comparable. */
export type BreakReason = 'databases' | 'coverage' | 'policy';

/** A limit is reached in `from` to `to` days from the last scan; `to` null = the end is open. */
export interface Forecast {
  from: number;
  to: number | null;
  perDay: number;
}

/** The range of growth per day, by the 40th and 80th percentile of what was measured. */
export interface GrowthPerDay {
  low: number;
  high: number;
}

export interface MemoryForecast extends Forecast {
  /** The fullest node. */
  address: string;
  limitBytes: number;
  /** What happens then: keys are evicted, or writes are refused; null = the eviction policy is unknown. */
  outcome: 'evictions' | 'refusals' | null;
}

export interface TrendSeries {
  dim: Dimension;
  key: string;
  pinned: boolean;
  points: TrendPoint[];
}

/** Answer of GET /api/instances/{id}/trends. */
export interface InstanceTrends {
  scans: TrendScan[];
  total: TrendPoint[];
  pinned: TrendSeries[];
  /** null = nothing can be said. */
  memory: MemoryForecast | null;
}

/** Answer of GET /api/snapshots/{id}/deltas: changes since the scan before; null = it was the first, or no whole scan. */
export interface SnapshotDeltas {
  since: number | null;
  total: Partial<Record<Measure, number>>;
  /** Keys with findings, by rule. */
  rules: Record<string, number>;
  /** By team; '' = keys without an owner. */
  teams: Record<string, Partial<Record<Measure, number>>>;
}

/** Answer of GET /api/trends/deltas, by id of the instance. */
export type FleetDeltas = Record<string, { since: number; total: Partial<Record<Measure, number>> }>;

export const GrowingQuery = z.object({
  by: z.enum(['bytes', 'keys', 'elements']).default('bytes'),
});
export type GrowingQuery = z.infer<typeof GrowingQuery>;

/** A key or prefix that grew between the last two comparable scans. */
export interface GrowingRow {
  dim: 'prefix' | 'key';
  key: string;
  before: number;
  after: number;
  change: number;
  /** null = it is known for too short, or does not grow steadily. */
  perDay: GrowthPerDay | null;
  /** When it reaches the limit of the profile for one key; null = nothing can be said, or there is no such limit. */
  reaches: (Forecast & { limit: number }) | null;
}

/** Answer of GET /api/instances/{id}/trends/growing. */
export interface GrowingReport {
  /** The starts of the two scans; null = there are no two comparable ones. */
  between: { from: number; to: number } | null;
  rows: GrowingRow[];
}
