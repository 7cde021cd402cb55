/** The role of a process: it serves pages, runs jobs, or starts one of each. */
export const PROCESS_ROLES = ['web', 'worker', 'all'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

/** A process that shares the store with others, as of its last heartbeat. */
export interface Presence {
  id: string;
  host: string;
  pid: number;
  role: ProcessRole;
  labels: string[];
  version: string;
  /** Identifies the master key without revealing it. */
  keyId: string;
  /** How many jobs it may run at once, and how many it is running now. */
  jobs: number;
  running: number;
  startedAt: number;
  /** Time since its last heartbeat in ms, by the clock of the store. */
  seenAgoMs: number;
}

/** A process sends a heartbeat this often. One that is silent for SILENT_AFTER_MS has ended or is frozen. */
export const PRESENCE_EVERY_MS = 5_000;
export const SILENT_AFTER_MS = 20_000;

export const isPresent = ({ seenAgoMs }: Pick<Presence, 'seenAgoMs'>): boolean => seenAgoMs < SILENT_AFTER_MS;

/** Whether a process is present that runs jobs and prepares snapshots for pages. */
export const isPresentWorker = (one: Pick<Presence, 'role' | 'seenAgoMs'>): boolean =>
  one.role !== 'web' && isPresent(one);

/**
 * A label by which an instance selects the processes that run its jobs: a plain word, but not `null`, which means no
 * label.
 */
export const WORKER_LABEL = /^(?!null$)[a-z0-9][a-z0-9.-]{0,39}$/;
