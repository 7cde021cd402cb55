import type { DeletionItem } from '@/lib/model/deletions/deletion-item';

/** A key of the selection with what is known of it, before it has a mode. */
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
  /** Looked at just now, not only in the snapshot. */
  live: boolean;
  gone: boolean;
  /** It may not even be asked for its type: outside the pattern of our user, or TYPE is denied. */
  denied?: boolean;
};
