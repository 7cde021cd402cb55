import type { WritingChannel } from '@/lib/redis/write/types';
import { idOf } from './drain-replies';

/** A look that took as long made everybody wait who uses the server, if it was for a large element. */
const LATE_MS = 200;
const LARGE_BYTES = 1024 * 1024;
/** More than a round holds, read one by one: what is not in the journal yet is read again. */
const PLAIN_READS = 20_000;
const MAX_KEYS = 1000;

/** How many more reads of a key go without a script. Kept in this process, beyond the run that was stopped for it. */
const left = new Map<string, number>();

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
  // One that was cut off may have been for any element.
  let large = Number.POSITIVE_INFINITY;
  try {
    const page = await look();
    large = page.large;
    return page;
  } finally {
    // A connection is also waited for, or the throttle: that says nothing of the key.
    if (large >= LARGE_BYTES && performance.now() - began >= LATE_MS) {
      const [oldest] = left.keys();
      if (left.size >= MAX_KEYS && oldest !== undefined) left.delete(oldest);
      left.set(idOf(channel, key), PLAIN_READS);
    }
  }
}

/** Whether the next read of a key is to go without a look; counts it. */
export function goesWithoutLook(channel: WritingChannel, key: Buffer): boolean {
  const id = idOf(channel, key);
  const reads = left.get(id) ?? 0;
  if (reads > 1) left.set(id, reads - 1);
  else left.delete(id);
  return reads > 0;
}
