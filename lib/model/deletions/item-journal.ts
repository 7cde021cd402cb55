import { z } from 'zod';
import { AppError } from '@/lib/model/errors';
import { ITEM_STATES } from './item-states';

const time = z.number();

/** The position of a drain. Each drainer reads its own fields. */
export const DrainPosition = z.object({
  /** HSCAN/SSCAN cursor, opaque. '0' at the start. */
  cursor: z.string().optional(),
  /** hash, set: the number of passes over the key; a second pass looks for what the first may have missed. */
  pass: z.number().optional(),
  /** zset, list: elements before this rank or index are still to be read. string: bytes read so far. */
  at: z.number().optional(),
  /**
   * stream, before its entries: the index of the consumer group in the order of the server, how many of its consumers
   * have been read, then the next pending id.
   */
  groups: z.object({ group: z.number(), consumer: z.number().optional(), pending: z.string().optional() }).optional(),
  /** stream: the next id to read. */
  id: z.string().optional(),
  /** The expected size of the next element in bytes: large values are read alone. Absent = not known yet. */
  each: z.number().optional(),
  end: z.boolean().optional(),
});
export type DrainPosition = z.infer<typeof DrainPosition>;

/**
 * Holds what is known about one item of a deletion, written before and after each step that cannot be undone. `intent`
 * is written before the rename: after a crash in between, the outcome is unknown until both names are checked.
 */
export const ItemJournal = z.object({
  intent: z.boolean().optional(),
  /** Epoch ms by the server's clock: a command that was sent and not answered is not carried out after this time. */
  deadline: time.optional(),
  /** A rename or a command in place was sent without a deadline: it may be carried out at any later time. */
  unguarded: z.boolean().optional(),
  /** The server on which `position` is valid: a cursor is lost when its process ends. */
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
  /** The expiry that the key had, epoch ms; the tombstone has none. */
  expireAt: time.nullable().optional(),
  position: DrainPosition.optional(),
  /** Names of the archive files that hold its elements, in the order they were written. */
  archives: z.array(z.string()).optional(),
  /** Bytes in all of them but the last. */
  earlierBytes: z.number().optional(),
  /**
   * How many bytes of a file are valid if another run continued after it: a run that had lost its lease may have
   * written more to it. Absent = the whole file.
   */
  countedBytes: z.record(z.string(), z.number()).optional(),
  /** The master had a replica when the key was renamed, so a replica must follow until the end. */
  replicated: z.boolean().optional(),
  /** A whole pass over the key is in the archive, and the key still existed at its end. */
  passed: z.boolean().optional(),
  /** hash: fields with their own expiry were read; they disappear on their own. */
  fieldExpiries: z.boolean().optional(),
  /** Every element is in the archive, and they were counted. */
  archived: z.boolean().optional(),
  /** The item's state when its server was given up. */
  gaveUp: z.enum(ITEM_STATES).optional(),
  /** The end of the quarantine, epoch ms. */
  purgeAt: time.optional(),
  /**
   * Undo: the state to return to, and whether the last rename may have happened; `home` = the rename of a whole
   * tombstone.
   */
  before: z.enum(ITEM_STATES).optional(),
  renaming: z.union([z.boolean(), z.literal('home')]).optional(),
  /**
   * Undo: how often it was started. Internal names contain it, so that a command of an earlier attempt finds no key.
   */
  attempt: z.number().optional(),
  /** Attempts whose name the tombstone may have; more than one while it is being renamed. Absent = its first name. */
  tombstones: z.array(z.number()).optional(),
  /** Undo in place: the key was gone, and Colonnade created the one that now has its name. */
  created: z.boolean().optional(),
  /** Undo: an element of the tombstone is larger than a connection accepts. */
  unreadable: z.boolean().optional(),
  /** expire: the expiry that the key had and the one that Colonnade sets, epoch ms. */
  previous: time.nullable().optional(),
  ours: time.optional(),
});
export type ItemJournal = z.infer<typeof ItemJournal>;

const Stored = ItemJournal.extend({ position: DrainPosition.loose().optional() }).loose();

/**
 * Parses a stored journal. Fields that this version does not know are kept, because another version may need them.
 * Throws `journal_unreadable`: continuing without the journal could remove elements that were not copied.
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
