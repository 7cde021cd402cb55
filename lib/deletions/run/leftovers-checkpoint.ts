import type { InternalKeyKind } from '@/lib/redis/keys/internal-key-name';

export interface LeftoversPlace {
  address: string;
  runId: string | null;
  db: number;
  /** Opaque. */
  cursor: string;
  done: boolean;
  /** Keys of the database when its search began; null = unknown. */
  keys: number | null;
  /** Keys gone over, as far as COUNT tells; never more than `keys`. */
  keysRead: number;
}

/** Who searches; null in searches from before this was noted. */
export interface LeftoversParams {
  byAdministrator?: boolean;
}

/** Where a search for internal keys stands, and what it has found. JSON. */
export interface LeftoversCheckpoint {
  /** Databases of nodes in the order in which they were begun; a cursor holds only for its `runId`. */
  places: LeftoversPlace[];
  found: FoundInternalKey[];
  skipped: string[];
  cut: boolean;
}

export interface FoundInternalKey {
  /** base64url of the bytes. */
  k: string;
  db: number;
  address: string;
  kind: InternalKeyKind;
  deletionId: string;
  seq: number;
  type: string | null;
  /** null = unknown. */
  bytes: number | null;
}

export const keysReadOf = ({ places }: LeftoversCheckpoint) => places.reduce((sum, place) => sum + place.keysRead, 0);

export const NOTHING_SEARCHED: LeftoversCheckpoint = { places: [], found: [], skipped: [], cut: false };
