import { z } from 'zod';
import { AppError } from '@/lib/model/errors';
import { ITEM_STATES } from './item-states';

const time = z.number();

/** Where a drain stands. Each drainer reads its own fields. */
export const DrainPosition = z.object({
  /** HSCAN/SSCAN cursor, opaque. '0' at the start. */
  cursor: z.string().optional(),
  /** hash, set: the pass over the key; a second looks for what the first may have missed. */
  pass: z.number().optional(),
  /** zset, list: elements before this rank or index are still to be read. string: bytes read so far. */
  at: z.number().optional(),
  /**
   * stream, before its entries: the number of the consumer group in the order of the server, how many of its consumers
   * have been read, then the next pending id.
   */
  groups: z.object({ group: z.number(), consumer: z.number().optional(), pending: z.string().optional() }).optional(),
  /** stream: the next id to read. */
  id: z.string().optional(),
  /** What the next element takes as far as one knows, bytes: large values are read alone. Absent: not known yet. */
  each: z.number().optional(),
  end: z.boolean().optional(),
});
export type DrainPosition = z.infer<typeof DrainPosition>;

/**
 * What is known of one item of a deletion, written before and after each step that cannot be taken back. `intent`
 * stands before the rename: a crash between leaves the question open, and looking at both names answers it.
 */
export const ItemJournal = z.object({
  intent: z.boolean().optional(),
  /** By the clock of the server, epoch ms: what was sent and not answered is not carried out after it. */
  deadline: time.optional(),
  /** A rename, or a command in place, without a deadline was sent: it may be carried out at any time. */
  unguarded: z.boolean().optional(),
  /** The server on which `position` means something: a cursor dies with its process. */
  address: z.string().optional(),
  runId: z.string().nullable().optional(),
  look: z
    .object({
      type: z.string(),
      encoding: z.string().nullable(),
      length: z.number().nullable(),
      bytes: z.number().nullable(),
    })
    .optional(),
  /** The expiry the key had, epoch ms; the tombstone has none. */
  expireAt: time.nullable().optional(),
  position: DrainPosition.optional(),
  /** Names of the archive files that hold its elements, in the order they were written. */
  archives: z.array(z.string()).optional(),
  /** Bytes in all of them but the last. */
  earlierBytes: z.number().optional(),
  /**
   * How far a file counts that its run does not continue: a run that had lost its lease may have written behind that.
   * Absent: all of it.
   */
  countedBytes: z.record(z.string(), z.number()).optional(),
  /** The master had a replica when the key was renamed: one must follow to the end. */
  replicated: z.boolean().optional(),
  /** A whole pass over the key is in the archive, and the key was still there at its end. */
  passed: z.boolean().optional(),
  /** hash: fields with an expiry of their own were read; they go by themselves. */
  fieldExpiries: z.boolean().optional(),
  /** Every element is in the archive, and was counted. */
  archived: z.boolean().optional(),
  /** How it stood when its server was given up. */
  gaveUp: z.enum(ITEM_STATES).optional(),
  /** Quarantined until then, epoch ms. */
  purgeAt: time.optional(),
  /** Undo: the state to fall back to, and whether the last rename may have happened; home: of a whole tombstone. */
  before: z.enum(ITEM_STATES).optional(),
  renaming: z.union([z.boolean(), z.literal('home')]).optional(),
  /** Undo: how often it was begun. Internal names carry it, so that a command of an earlier attempt finds nothing. */
  attempt: z.number().optional(),
  /** Attempts whose name the tombstone may carry; more than one while it is renamed. Absent: its first name. */
  tombstones: z.array(z.number()).optional(),
  /** Undo in place: the key was gone, and what stands under its name was begun by Colonnade. */
  created: z.boolean().optional(),
  /** Undo: an element of the tombstone is larger than a connection takes. */
  unreadable: z.boolean().optional(),
  /** expire: what the key had and what it gets, epoch ms. */
  previous: time.nullable().optional(),
  ours: time.optional(),
});
export type ItemJournal = z.infer<typeof ItemJournal>;

const Stored = ItemJournal.extend({ position: DrainPosition.loose().optional() }).loose();

/**
 * A stored journal. Fields that this version does not know are kept: what another version noted must survive being read
 * here. Throws `journal_unreadable`: going on without what it says could remove what was not copied.
 */
export function parseJournal(text: string, item: { deletionId: string; seq: number }): ItemJournal {
  const { deletionId, seq } = item;
  try {
    return Stored.parse(JSON.parse(text));
  } catch (error) {
    throw new AppError(
      'journal_unreadable',
      `The journal of key ${seq} of deletion ${deletionId} cannot be read. Restore a backup of the store, or run the version that wrote it.`,
      { deletionId, seq },
      { cause: error },
    );
  }
}
