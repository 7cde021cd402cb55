import type { Leftover } from './deletion';
import type { JobState } from './job';

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
