import type { WritingChannel } from '@/lib/redis/write/types';
import { buildKeyId } from './drain-replies';

/** A look at a large element that took this long, in ms, delayed all other clients of the server. */
const LATE_MS = 200;
const LARGE_BYTES = 1024 * 1024;
/**
 * How many reads then go without a script. More than one round has, because elements not yet in the journal are read
 * again.
 */
const PLAIN_READS = 20_000;
/**
 * How many unanswered looks count as one at a large element. One is not enough: a connection also ends for other
 * reasons.
 */
const CUTS = 2;
const MAX_KEYS = 1000;

/** For each key: `left` is how many more reads go without a script, `cuts` how many late looks got no answer. */
interface Note {
  left: number;
  cuts: number;
}

/** Kept in this process, longer than the run that was stopped because of the look. */
const notes = new Map<string, Note>();

/**
 * Notes looks that took too long. A script that looks at an element of tens of mebibytes can delay the server so much
 * that the job is paused, and everything read but not yet written to the journal is lost. After a resume the job would
 * repeat the same look and never get past it.
 */
export async function noteLateLooks<T extends { large: number }>(
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
    // The time also includes waiting for a connection or the throttle, so a late look at small elements says nothing
    // about the key.
    if ((large === null || large >= LARGE_BYTES) && performance.now() - began >= LATE_MS)
      note(buildKeyId(channel, key), large === null);
  }
}

function note(id: string, isCut: boolean): void {
  const [oldest] = notes.keys();
  if (notes.size >= MAX_KEYS && oldest !== undefined && !notes.has(id)) notes.delete(oldest);
  const cuts = (notes.get(id)?.cuts ?? 0) + (isCut ? 1 : 0);
  notes.set(id, { left: isCut && cuts < CUTS ? 0 : PLAIN_READS, cuts });
}

/** Returns whether the next read of a key must be of one element without a look, and counts it. */
export function takePlainRead(channel: WritingChannel, key: Buffer): boolean {
  const id = buildKeyId(channel, key);
  const found = notes.get(id);
  if (found === undefined || found.left === 0) return false;
  found.left -= 1;
  if (found.left === 0) notes.delete(id);
  return true;
}
