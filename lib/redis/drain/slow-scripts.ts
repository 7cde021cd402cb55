/**
 * Remembers keys whose elements a script should no longer measure. A script that reads an element of tens of mebibytes
 * can delay the server so much that the job is paused, and everything read but not yet written to the journal is lost.
 * After a resume the job would run the same script and never get past it. So this is kept in the process, longer than a
 * run.
 */

import type { WritingChannel } from '@/lib/redis/write/types';
import { buildKeyId } from './drain-replies';

/** A script at a large element that took this long, in ms, delayed all other clients of the server. */
const SLOW_MS = 200;
const LARGE_BYTES = 1024 * 1024;
/**
 * How many reads then go without a script. More than one round has, because elements not yet in the journal are read
 * again.
 */
const PLAIN_READS = 20_000;
/**
 * How many slow scripts without an answer count as one at a large element. One is not enough: a connection also ends
 * for other reasons.
 */
const MIN_UNANSWERED = 2;
const MAX_KEYS = 1000;

/** Counts for each key how many more reads go without a script, and how many slow scripts got no answer. */
const notes = new Map<string, { plainReads: number; unanswered: number }>();

/**
 * Runs a script that reads a page, and notes the key if it was slow. `large` = bytes of the element that did not fit.
 */
export async function noteSlowScript<T extends { large: number }>(
  channel: WritingChannel,
  key: Buffer,
  runScript: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  let large: number | null = null;
  try {
    const page = await runScript();
    large = page.large;
    return page;
  } finally {
    const isSlow = performance.now() - began >= SLOW_MS;
    // The time also includes waiting for a connection or the throttle, so a slow script at small elements says nothing
    // about the key.
    if (isSlow && (large === null || large >= LARGE_BYTES)) addNote(buildKeyId(channel, key), large !== null);
  }
}

function addNote(id: string, isAnswered: boolean): void {
  const [oldest] = notes.keys();
  if (notes.size >= MAX_KEYS && oldest !== undefined && !notes.has(id)) notes.delete(oldest);
  const unanswered = (notes.get(id)?.unanswered ?? 0) + (isAnswered ? 0 : 1);
  notes.set(id, { plainReads: isAnswered || unanswered >= MIN_UNANSWERED ? PLAIN_READS : 0, unanswered });
}

/** Returns whether the next read of a key must be of one element without a script, and counts it. */
export function takePlainRead(channel: WritingChannel, key: Buffer): boolean {
  const id = buildKeyId(channel, key);
  const note = notes.get(id);
  if (note === undefined || note.plainReads === 0) return false;
  note.plainReads -= 1;
  if (note.plainReads === 0) notes.delete(id);
  return true;
}
