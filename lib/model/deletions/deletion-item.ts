import { z } from 'zod';
import { numeric } from '../filter';
import type { CodedMessage } from './coded-message';
import { ITEM_STATES, type ItemState } from './item-states';
import type { DeletionMode } from './plan-request';

export const HAZARDS = [
  /** Expires in less than a minute. */
  'expires_soon',
  /** A logically expired bigkey would be freed at once by whoever touches it: lazyfree-lazy-expire is no. */
  'expiry_blocks',
  /** Idle for less than a minute: someone uses it now. */
  'in_use',
  'stream_groups',
  'module_type',
  /** UNLINK of a string frees it at once: 41–90 ms at 512 MB. */
  'huge_string',
  /** At most 64 elements, or one allocation: UNLINK frees them in the main thread, some 0.06 ms per MiB. */
  'unlink_blocks',
  /**
   * Compact, above 8 MiB, and without places to read a part from: its copy comes in one reply, at least 0.1 ms per MiB.
   */
  'whole_reply',
  /** A vector set or an array of half a MiB or more: copied by one DUMP, restored by one RESTORE. */
  'dump_blocks',
  'no_copy',
  'unknown_facts',
  /** Neither counted nor weighed: what is there later cannot be distinguished from what was planned. */
  'unknown_size',
  /** It would get an expiry of minutes: too soon for a person to take it back. */
  'short_expiry',
  /** Its expiry frees all of it at once, in the main thread. */
  'blocking_expiry',
] as const;
export type Hazard = (typeof HAZARDS)[number];

export interface DeletionItem {
  seq: number;
  k: string;
  /** Display form. */
  name: string;
  nameBytes: number;
  db: number;
  address: string;
  slot: number;
  type: string | null;
  encoding: string | null;
  length: number | null;
  bytes: number | null;
  /** Epoch ms; null = none or (with expiryKnown false) unknown. */
  expireAt: number | null;
  expiryKnown: boolean;
  idleSeconds: number | null;
  mode: DeletionMode | null;
  /** Why this mode; null = as chosen. */
  modeReason: CodedMessage | null;
  hazards: Hazard[];
  state: ItemState;
  reason: CodedMessage | null;
  /** Elements removed so far, of `length`. */
  removed: number;
  archivedElements: number;
  archiveBytes: number;
  /** expire: what the key got. */
  newExpireAt: number | null;
  startedAt: number | null;
  endedAt: number | null;
  /** Until when it can be undone; null = it cannot. */
  undoUntil: number | null;
}

/** GET /api/deletions/:id/items */
export const ItemQuery = z.object({
  state: z.enum(ITEM_STATES).optional(),
  limit: numeric(z.number().int().min(1).max(500)).default(100),
  cursor: z.string().max(200).optional(),
});
export type ItemQuery = z.infer<typeof ItemQuery>;
export interface ItemPage {
  items: DeletionItem[];
  nextCursor: string | null;
  total: number;
}
