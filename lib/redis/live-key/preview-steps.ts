/**
 * Reads rows a few at a time. A reader cannot know how long an element is before it is sent, and the average says
 * nothing about large elements between small ones. So a command requests one or two elements, never more, and the next
 * is sent only while bytes are left. An unread large reply counts as used memory on the server and may evict keys.
 */

import { append } from '@/lib/model/text/append';
import { ReplyTooLarge } from '@/lib/redis/protocol/resp-reader';

export const MAX_ROWS = 50;
export const BUDGET_BYTES = 1024 * 1024;
/** One command may cost two replies of this size; an element that is known to be larger is not requested. */
export const ELEMENT_BYTES = 1024 * 1024;
const MAX_AT_ONCE = 2;
/** After a reply of more bytes than this, the next element is requested alone. */
const LARGE_BYTES = 64 * 1024;
/**
 * Bytes that an element takes in a reply in addition to its content; it also prevents empty elements from counting as
 * none.
 */
const ELEMENT_OVERHEAD = 16;
const MAX_STEPS = 64;
/** A sparse hash table may answer HSCAN with empty pages for a while: then COUNT grows up to this value. */
const MAX_SPARSE = 512;

export interface Step {
  rows: Buffer[][];
  /** Bytes received, even if a row shows only part of them. */
  bytes: number;
  /** Nothing follows. */
  end: boolean;
}

export const createPreviewStep = (rows: Buffer[][], end: boolean): Step => ({
  rows,
  bytes: rows.reduce((sum, row) => row.reduce((size, bytes) => size + bytes.length, sum + ELEMENT_OVERHEAD), 0),
  end,
});

/**
 * Calls `next` for `count` further elements until there are MAX_ROWS rows, the bytes or the steps are used up, or an
 * element is larger than a reply may be (what was read before it is kept). `more` is true if something is not shown.
 */
export async function readInSteps(
  next: (count: number) => Promise<Step>,
): Promise<{ rows: Buffer[][]; more: boolean }> {
  const rows: Buffer[][] = [];
  let used = 0;
  let count = 1;
  for (let steps = 0; steps < MAX_STEPS && used < BUDGET_BYTES && rows.length <= MAX_ROWS; steps++) {
    let step: Step;
    try {
      step = await next(count);
    } catch (error) {
      if (!(error instanceof ReplyTooLarge) || rows.length === 0) throw error;
      return { rows: rows.slice(0, MAX_ROWS), more: true };
    }
    // One row more than is shown proves that there are more.
    append(rows, step.rows.slice(0, MAX_ROWS + 1 - rows.length));
    used += step.bytes;
    if (step.end) return { rows: rows.slice(0, MAX_ROWS), more: rows.length > MAX_ROWS };
    if (step.bytes > LARGE_BYTES) count = 1;
    else count = step.bytes === 0 ? Math.min(MAX_SPARSE, count * 2) : MAX_AT_ONCE;
  }
  return { rows: rows.slice(0, MAX_ROWS), more: true };
}
