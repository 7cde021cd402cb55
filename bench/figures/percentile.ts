/** Returns the value that this share of a list does not exceed; null for an empty list. */
export function percentile(list: readonly number[], share: number): number | null {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? null;
}
