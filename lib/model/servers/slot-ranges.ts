/**
 * The same slots as ranges in ascending order that neither overlap nor touch: at most 8,192 of them, whatever a server
 * names. Ranges of nodes are always kept in this form, so that questions about them need one walk or a binary search.
 */
export function joinSlotRanges(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const joined: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last === undefined || from > last[1] + 1) joined.push([from, to]);
    else if (to > last[1]) last[1] = to;
  }
  return joined;
}

/** Whether each slot of `wanted` is in `ranges`. Both are joined ranges. */
export function coversSlotRanges(
  ranges: readonly (readonly [number, number])[],
  wanted: readonly (readonly [number, number])[],
): boolean {
  let at = 0;
  return wanted.every(([from, to]) => {
    while ((ranges[at]?.[1] ?? Number.POSITIVE_INFINITY) < from) at++;
    const range = ranges[at];
    return range !== undefined && range[0] <= from && range[1] >= to;
  });
}

/** How many slots joined ranges hold. */
export const countSlots = (ranges: readonly (readonly [number, number])[]): number =>
  ranges.reduce((count, [from, to]) => count + to - from + 1, 0);
