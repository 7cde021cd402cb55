import { append } from '@/lib/model/text/append';
import { ReplyTooLarge } from '@/lib/redis/protocol/resp-reader';

/**
 * Rows read a few at a time. Nobody who only reads can know how long an element is before it is sent, and the average
 * tells nothing of the large ones between small ones: so a command asks for one or two elements, never more, and the
 * next is sent only while bytes are left. An unread large reply counts as used memory on the server and may evict keys.
 */
export const MAX_ROWS = 50;
export const BUDGET_BYTES = 1024 * 1024;
/** Two replies of this size are what one command may cost; an element that is known to be larger is not asked for. */
export const ELEMENT_BYTES = 1024 * 1024;
const MAX_AT_ONCE = 2;
/** After so many bytes the next element is asked for alone. */
const LARGE_BYTES = 64 * 1024;
/** What an element takes in a reply beside its bytes; also keeps empty elements from looking like none. */
const ELEMENT_OVERHEAD = 16;
const MAX_STEPS = 64;
/** A sparse hash table answers HSCAN with nothing for a while: then the steps grow, up to here. */
const MAX_SPARSE = 512;

export interface Step {
  rows: Buffer[][];
  /** Bytes of what came, also where a row shows less of it. */
  bytes: number;
  /** Nothing follows. */
  end: boolean;
}

export const previewStep = (rows: Buffer[][], end: boolean): Step => ({
  rows,
  bytes: rows.reduce((sum, row) => row.reduce((size, bytes) => size + bytes.length, sum + ELEMENT_OVERHEAD), 0),
  end,
});

/**
 * `next` is asked for `count` further elements until there are MOST_ROWS, the bytes or the steps are used up, or an
 * element comes that is larger than a reply may be (what was read before it is kept). `more`: something is not shown.
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
    // One more than is shown tells that there is more.
    append(rows, step.rows.slice(0, MAX_ROWS + 1 - rows.length));
    used += step.bytes;
    if (step.end) return { rows: rows.slice(0, MAX_ROWS), more: rows.length > MAX_ROWS };
    if (step.bytes > LARGE_BYTES) count = 1;
    else count = step.bytes === 0 ? Math.min(MAX_SPARSE, count * 2) : MAX_AT_ONCE;
  }
  return { rows: rows.slice(0, MAX_ROWS), more: true };
}
