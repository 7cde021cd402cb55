import type { ProcessRole } from '@/lib/model/presence';
import type { Preparation } from '@/lib/model/snapshots/preparation';

/** The processes that share the store. */
export interface WorkersTable {
  id: string;
  host: string;
  pid: number;
  role: ProcessRole;
  /** string[] as JSON. */
  labels: string;
  version: string;
  key_id: string;
  jobs: number;
  running: number;
  started_at: number;
  seen_at: number;
}

export interface WishesTable {
  id: string;
  kind: string;
  snapshot_id: string | null;
  wish: string;
  made_at: number;
  claimed_until: number;
  tries: number;
  ended_at: number | null;
  answer: string | null;
  error: string | null;
}

export interface PreparationsTable {
  snapshot_id: string;
  task: Preparation['task'];
  share: number | null;
  said_at: number;
}
