import type { JobState } from '@/lib/model/job-states';

/**
 * A key of Colonnade on a server that no deletion knows any more, or whose deletion has ended. Shown, never removed by
 * itself.
 */
export interface Leftover {
  k: string;
  name: string;
  db: number;
  address: string;
  kind: 'tombstone' | 'restore';
  deletionId: string | null;
  seq: number | null;
  type: string | null;
  bytes: number | null;
  /** The deletion is known and unfinished: not a leftover but work in progress. */
  owned: boolean;
  /** Its name before, where the journal knows it. */
  original: string | null;
}

/** A deletion at work owns it, a known one has ended, or nobody knows of it. */
export const leftoverState = ({ owned, original }: Leftover): 'owned' | 'ended' | 'orphan' =>
  owned ? 'owned' : original === null ? 'orphan' : 'ended';

/** The newest search for internal keys on the servers of an instance. Times are epoch ms. */
export interface LeftoversSearch {
  jobId: string;
  state: JobState;
  startedAt: number | null;
  endedAt: number | null;
  /** Names that SCAN has returned so far; null = not known. */
  keysRead: number | null;
  /** Masters that could not be searched. */
  skipped: string[];
  /** More were found than are kept. */
  cut: boolean;
}

/** Answer of GET /api/instances/:id/leftovers. `search` is null where nobody has searched yet. */
export interface LeftoversAnswer {
  search: LeftoversSearch | null;
  leftovers: Leftover[];
}
