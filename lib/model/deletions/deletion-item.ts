import { z } from 'zod';
import { numeric } from '../filter';
import type { CodedMessage } from './coded-message';
import { ITEM_STATES, type ItemState } from './item-states';
import type { DeletionMode } from './plan-request';

const HAZARDS = [
  /** It expires in less than a minute. */
  'expires_soon',
  /** An expired bigkey would be freed at once by the next client that accesses it: lazyfree-lazy-expire is no. */
  'expiry_blocks',
  /** It has been idle for less than a minute, so it is in use. */
  'in_use',
  'stream_groups',
  'module_type',
  /** UNLINK of a string frees it at once: 41–90 ms at 512 MB. */
  'huge_string',
  /** At most 64 elements, or one allocation: UNLINK frees them in the main thread, about 0.06 ms per MiB. */
  'unlink_blocks',
  /**
   * A compact key above 8 MiB that cannot be read in parts by position: its copy comes in one reply, at least 0.1 ms
   * per MiB.
   */
  'whole_reply',
  /** A vector set or an array of half a MiB or more: copied by one DUMP, restored by one RESTORE. */
  'dump_blocks',
  'no_copy',
  'unknown_facts',
  /** Neither element count nor memory is known, so a later change of the key cannot be detected. */
  'unknown_size',
  /** It would get an expiry of minutes, too soon for a person to undo it. */
  'short_expiry',
  /** Its expiry frees all of it at once, in the main thread. */
  'blocking_expiry',
] as const;
export type Hazard = (typeof HAZARDS)[number];

export interface DeletionItem {
  seq: number;
  k: string;
  /** The name in display form. */
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
  /** Why this mode was used; null = it is the chosen one. */
  modeReason: CodedMessage | null;
  hazards: Hazard[];
  state: ItemState;
  reason: CodedMessage | null;
  /** Elements removed so far, of `length`. */
  removed: number;
  archivedElements: number;
  archiveBytes: number;
  /** expire: the expiry that the key got, epoch ms. */
  newExpireAt: number | null;
  startedAt: number | null;
  endedAt: number | null;
  /** The time until which it can be undone, epoch ms; null = it cannot. */
  undoUntil: number | null;
}

/** Query of GET /api/deletions/:id/items. */
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
