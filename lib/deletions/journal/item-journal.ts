import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import type { DrainPosition } from '@/lib/redis/drain/drainer';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import type { ItemPatch, StoredItem } from '@/lib/store/deletion-items';
import { updateItems } from '@/lib/store/deletion-items';

/**
 * What is known of one item's way, written before and after each step that cannot be taken back. `intent` stands
 * before the rename: a crash between leaves the question open, and looking at both names answers it.
 */
export interface ItemJournal {
  intent?: boolean;
  /** By the clock of the server, epoch ms: what was sent and not answered is not carried out after it. */
  deadline?: number;
  /** A rename, or in place a removal, without a deadline was sent: it may be carried out at any time. */
  unguarded?: boolean;
  /** The server on which `position` means something: a cursor dies with its process. */
  address?: string;
  runId?: string | null;
  look?: { type: string; encoding: string | null; length: number | null; bytes: number | null };
  /** The expiry the key had, epoch ms; the tombstone has none. */
  expireAt?: number | null;
  position?: DrainPosition;
  /** Names of the archive files that hold its elements, in the order they were written. */
  archives?: string[];
  /** Bytes in all of them but the last. */
  earlierBytes?: number;
  /** The master had a replica when the key was set aside: one must follow to the end. */
  replicated?: boolean;
  /** A whole pass over the key is in the archive, and the key was still there at its end. */
  passed?: boolean;
  /** hash: fields with an expiry of their own were read; they go by themselves. */
  fieldExpiries?: boolean;
  /** Every element is in the archive, and was counted. */
  archived?: boolean;
  /** How it stood when its server was given up. */
  gaveUp?: StoredItem['state'];
  /** Quarantined until then, epoch ms. */
  purgeAt?: number;
  /** Undo: the state to fall back to, and whether the last rename may have happened; home: of what was set aside. */
  before?: StoredItem['state'];
  renaming?: boolean | 'home';
  /** Undo: how often it was begun. Names of ours carry it, so that a command of an earlier attempt finds nothing. */
  attempt?: number;
  /** Attempts whose name the tombstone may carry; more than one while it is renamed. Absent: its first name. */
  tombstones?: number[];
  /** Undo in place: the key was gone, and what stands under its name was begun by us. */
  created?: boolean;
  /** Undo: an element of what is set aside is larger than a connection takes. */
  unreadable?: boolean;
  /** expire: what the key had and what it gets. */
  previous?: number | null;
  ours?: number;
}

export const journalOf = (item: StoredItem): ItemJournal => (item.journal ?? {}) as ItemJournal;

/** Writes the item under the lease of the job, and what was written into the item at hand. */
export async function saveItem(run: DeletionRun, item: StoredItem, patch: ItemPatch): Promise<void> {
  await saveItems(run, [{ item, patch }]);
}

/** Many at once: one transaction, one sync of the disk. */
export async function saveItems(run: DeletionRun, writes: { item: StoredItem; patch: ItemPatch }[]): Promise<void> {
  if (writes.length === 0) return;
  await run.hooks.fenced(async (tx) => {
    const rows = writes.map(({ item, patch }) => ({ seq: item.seq, patch: { ...noted.get(item), ...patch } }));
    await updateItems(run.deletion.plan.id, rows, tx);
  });
  for (const { item, patch } of writes) {
    Object.assign(item, patch);
    noted.delete(item);
  }
}

const noted = new WeakMap<StoredItem, ItemPatch>();

/**
 * What the next write of this item carries with it. Only for what a crash may forget because both names on the server
 * tell it too: `saveNoted` before anything takes them away.
 */
export function noteItem(item: StoredItem, patch: ItemPatch): void {
  noted.set(item, { ...noted.get(item), ...patch });
  Object.assign(item, patch);
}

/** Writes what was noted and has not been written. */
export async function saveNoted(run: DeletionRun, items: readonly StoredItem[]): Promise<void> {
  await saveItems(
    run,
    items.filter((item) => noted.has(item)).map((item) => ({ item, patch: {} })),
  );
}

/** Elements of an item as its progress counts them; a string is one, whatever its bytes. */
export const elementsOf = (item: StoredItem): number => {
  const { look } = journalOf(item);
  return look?.type === 'string' ? 1 : (look?.length ?? 0);
};

/**
 * Runs what was announced in the journals of these items with a deadline. A refusal is an answer too: nothing is on its
 * way any more, and nobody needs to wait for that moment.
 */
export async function clearDeadlineOnRefusal<T>(
  run: DeletionRun,
  items: readonly StoredItem[],
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof WriteFailure && error.kind !== 'unknown_outcome')
      await saveItems(
        run,
        items.map((item) => {
          const { deadline: _, unguarded: __, ...journal } = journalOf(item);
          return { item, patch: { journal } };
        }),
      );
    throw error;
  }
}

export const codedMessage = (code: string, params: Record<string, string | number> = {}) => ({ code, params });
