import { GROUP_ROWS, RowGroup } from './part-columns';

/**
 * The row groups of all parts that are being written, with one budget for them: a scan writes as many parts at a time
 * as the deployment has nodes, and each fills one group while the one before is written. The more there are, the
 * smaller the next groups.
 */
const WRITERS_AT_FULL_SIZE = 16;
/** Fewer would cost readers: what a table of contents takes of their memory grows with the number of groups. */
const MIN_ROWS = 8192;
/** Emptied groups, kept for the next part: allocating their megabytes anew would cost more than filling them. */
const MAX_IDLE = 4;

const idle: RowGroup[] = [];
let writers = 0;

export const rowGroups = {
  /** A writer begins. */
  open(): void {
    writers++;
  },

  /** It ended; called once for each `open`. */
  close(): void {
    writers--;
  },

  next(): RowGroup {
    const rows = capacityFor(writers);
    const known = idle.findIndex((group) => group.capacity === rows);
    return known >= 0 ? idle.splice(known, 1)[0]! : new RowGroup(rows);
  },

  giveBack(group: RowGroup): void {
    group.clear();
    if (idle.length >= MAX_IDLE) idle.shift();
    idle.push(group);
  },
};

/** A power of two, so that groups of few sizes are there to be used again. */
function capacityFor(open: number): number {
  let rows = GROUP_ROWS;
  for (let held = open; held > WRITERS_AT_FULL_SIZE && rows > MIN_ROWS; held /= 2) rows /= 2;
  return rows;
}
