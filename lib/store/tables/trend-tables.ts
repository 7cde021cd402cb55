import type { Dimension } from '@/lib/model/snapshots/trends';

export interface TrendSeriesTable {
  id: number;
  instance_id: string;
  dim: Dimension;
  key: string;
  top_at: number;
  pinned_at: number | null;
}

export interface TrendPointsTable {
  series_id: number;
  at: number;
  keys: number | null;
  bytes: number | null;
  no_expiry: number | null;
  bigkeys: number | null;
  found: number | null;
  elements: number | null;
  score: number | null;
  used_bytes: number | null;
  max_bytes: number | null;
}

export interface TrendScansTable {
  instance_id: string;
  at: number;
  snapshot_id: string;
  policy_hash: string;
  databases: string | null;
  coverage: string;
  maxmemory_policy: string | null;
}
