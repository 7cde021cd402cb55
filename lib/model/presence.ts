/** What a process does: serves pages, runs jobs, or starts one of each. */
export const PROCESS_ROLES = ['web', 'worker', 'all'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

/** A process that shares the store with others, as of its last sign of life. */
export interface Presence {
  id: string;
  host: string;
  pid: number;
  role: ProcessRole;
  labels: string[];
  version: string;
  /** Names the master key and tells nothing about it. */
  keyId: string;
  /** How many it runs at once, and how many it runs now. */
  jobs: number;
  running: number;
  startedAt: number;
  /** By the clock of the store. */
  seenAgoMs: number;
}

/** A sign of life every few seconds; who was silent for so long is gone or frozen. */
export const PRESENCE_EVERY_MS = 5_000;
export const SILENT_AFTER_MS = 20_000;

export const isPresent = ({ seenAgoMs }: Pick<Presence, 'seenAgoMs'>): boolean => seenAgoMs < SILENT_AFTER_MS;

/** What an instance may ask of the processes that run its jobs: a plain word, and not the one that means none. */
export const WORKER_LABEL = /^(?!null$)[a-z0-9][a-z0-9.-]{0,39}$/;
