/**
 * The row groups of all parts that are being written have one budget. A scan writes as many parts at a time as the
 * deployment has nodes, and each part fills one group while the previous one is written.
 */

import { GROUP_ROWS, RowGroup } from './part-columns';

/** With more writers than this, new groups are smaller. */
const WRITERS_AT_FULL_SIZE = 16;
/** Smaller groups would cost readers memory: the table of contents of a part grows with the number of groups. */
const MIN_ROWS = 8192;
/**
 * Emptied groups that are kept for the next part, because allocating their megabytes again would cost more than filling
 * them.
 */
const MAX_IDLE = 4;

const idle: RowGroup[] = [];
let writers = 0;

export const rowGroups = {
  /** Counts a writer that begins. */
  open(): void {
    writers++;
  },

  /** Counts a writer that ended; called once for each `open`. */
  close(): void {
    writers--;
  },

  next(): RowGroup {
    const rows = chooseCapacity(writers);
    const known = idle.findIndex((group) => group.capacity === rows);
    return known >= 0 ? idle.splice(known, 1)[0]! : new RowGroup(rows);
  },

  giveBack(group: RowGroup): void {
    group.clear();
    if (idle.length >= MAX_IDLE) idle.shift();
    idle.push(group);
  },
};

/** Rows of a new group: a power of two, so that groups have few sizes and can be reused. */
function chooseCapacity(open: number): number {
  let rows = GROUP_ROWS;
  for (let held = open; held > WRITERS_AT_FULL_SIZE && rows > MIN_ROWS; held /= 2) rows /= 2;
  return rows;
}
