import type { InternalKeyKind } from '@/lib/redis/keys/internal-key-name';

export interface PartitionSearch {
  address: string;
  runId: string | null;
  db: number;
  /** The cursor of SCAN; an opaque text. */
  cursor: string;
  done: boolean;
  /** How many keys the database had when its search began; null = unknown. */
  keys: number | null;
  /** How many keys were read, estimated from COUNT; never more than `keys`. */
  keysRead: number;
}

/** The parameters say who started the search. */
export interface LeftoversParams {
  byAdministrator: boolean;
}

/** The progress of a search for internal keys, and what it has found. It is stored as JSON. */
export interface LeftoversCheckpoint {
  /** Databases of nodes in the order in which they were begun; a cursor is valid only for its `runId`. */
  places: PartitionSearch[];
  found: FoundInternalKey[];
  skipped: string[];
  cut: boolean;
}

export interface FoundInternalKey {
  /** base64url of the bytes of the name. */
  k: string;
  db: number;
  address: string;
  kind: InternalKeyKind;
  deletionId: string;
  seq: number;
  type: string | null;
  /** Memory in bytes; null = unknown. */
  bytes: number | null;
}

export const countKeysRead = ({ places }: LeftoversCheckpoint) =>
  places.reduce((sum, place) => sum + place.keysRead, 0);

export const EMPTY_CHECKPOINT: LeftoversCheckpoint = { places: [], found: [], skipped: [], cut: false };
