import type { DeletionItem } from '@/lib/model/deletions/deletion-item';

/** A key of the selection with its known facts, before it gets a mode. */
export type Candidate = Pick<
  DeletionItem,
  | 'name'
  | 'nameBytes'
  | 'db'
  | 'address'
  | 'slot'
  | 'type'
  | 'encoding'
  | 'length'
  | 'bytes'
  | 'expireAt'
  | 'expiryKnown'
  | 'idleSeconds'
> & {
  raw: Buffer;
  /** Whether the facts were read just now, not only from the snapshot. */
  isRead: boolean;
  isGone: boolean;
  /** Whether not even TYPE may be sent for it: the name is outside the pattern of the user, or TYPE is denied. */
  isDenied?: boolean;
};
