/**
 * Returns the same slots as ascending ranges that neither overlap nor touch: at most 8,192, whatever a server reports.
 * Ranges of nodes are always stored in this form, so that lookups need one pass or a binary search.
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

/** Whether every slot of `wanted` is in `ranges`. Both must be joined ranges. */
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

/** Returns how many slots the joined ranges contain. */
export const countSlots = (ranges: readonly (readonly [number, number])[]): number =>
  ranges.reduce((count, [from, to]) => count + to - from + 1, 0);
