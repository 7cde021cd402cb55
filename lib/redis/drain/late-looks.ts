import type { WritingChannel } from '@/lib/redis/write/types';
import { idOf } from './drain-replies';

/** A look that took as long made everybody wait who uses the server, if it was for a large element. */
const LATE_MS = 200;
const LARGE_BYTES = 1024 * 1024;
/** More than a round holds, read one by one: what is not in the journal yet is read again. */
const PLAIN_READS = 20_000;
/** One that was cut off may have been for any element, or for none: a connection ends for other reasons too. */
const CUTS = 2;
const MAX_KEYS = 1000;

/** Of each key: how many more reads go without a script, and how many late looks got no answer. */
interface Note {
  left: number;
  cuts: number;
}

/** Kept in this process, beyond the run that was stopped for it. */
const notes = new Map<string, Note>();

/**
 * A script that looks at an element of tens of mebibytes can make the server late enough that the job is paused, with
 * all that was read and not yet written down. Resumed it would come by the same look again, and never get past it.
 */
export async function notingLateLooks<T extends { large: number }>(
  channel: WritingChannel,
  key: Buffer,
  look: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  let large: number | null = null;
  try {
    const page = await look();
    large = page.large;
    return page;
  } finally {
    // A connection is also waited for, or the throttle: that says nothing of the key.
    if ((large === null || large >= LARGE_BYTES) && performance.now() - began >= LATE_MS)
      note(idOf(channel, key), large === null);
  }
}

function note(id: string, isCut: boolean): void {
  const [oldest] = notes.keys();
  if (notes.size >= MAX_KEYS && oldest !== undefined && !notes.has(id)) notes.delete(oldest);
  const cuts = (notes.get(id)?.cuts ?? 0) + (isCut ? 1 : 0);
  notes.set(id, { left: isCut && cuts < CUTS ? 0 : PLAIN_READS, cuts });
}

/** Whether the next read of a key is to go without a look, and then of one element alone; counts it. */
export function goesWithoutLook(channel: WritingChannel, key: Buffer): boolean {
  const id = idOf(channel, key);
  const found = notes.get(id);
  if (found === undefined || found.left === 0) return false;
  found.left -= 1;
  if (found.left === 0) notes.delete(id);
  return true;
}
