import type { JobState } from '@/lib/model/job-states';

/**
 * An internal key on a server that belongs to no known deletion, or whose deletion has ended. It is shown and never
 * removed automatically.
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
  /** The deletion is known and unfinished, so the key is not a leftover but in use. */
  owned: boolean;
  /** The original name, if the journal knows it; null = unknown. */
  original: string | null;
}

/** `owned`: an unfinished deletion uses it · `ended`: its deletion has ended · `orphan`: no deletion knows it. */
export const getLeftoverState = ({ owned, original }: Leftover): 'owned' | 'ended' | 'orphan' =>
  owned ? 'owned' : original === null ? 'orphan' : 'ended';

/** The newest search for internal keys on the servers of an instance. Times are epoch ms. */
export interface LeftoversSearch {
  jobId: string;
  state: JobState;
  startedAt: number | null;
  endedAt: number | null;
  /** The number of names that SCAN has returned so far; null = not known. */
  keysRead: number | null;
  /** Masters that could not be searched. */
  skipped: string[];
  /** More were found than are kept. */
  cut: boolean;
}

/** Answer of GET /api/instances/:id/leftovers. `search` is null if no search was ever started. */
export interface LeftoversAnswer {
  search: LeftoversSearch | null;
  leftovers: Leftover[];
}
