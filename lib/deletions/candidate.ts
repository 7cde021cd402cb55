import type { DeletionItem } from '@/lib/model/deletion';

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
};
