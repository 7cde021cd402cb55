export interface Sample {
  at: number;
  rssMiB: number;
}

/** Least squares over what came after the warm-up, MiB a minute; null = too little to say. */
export function slopePerMinute(samples: readonly Sample[], fromMs: number): number | null {
  const used = samples.filter(({ at }) => at >= fromMs);
  if (used.length < 10) return null;
  const minutes = used.map(({ at }) => at / 60_000);
  const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
  const [x, y] = [mean(minutes), mean(used.map(({ rssMiB }) => rssMiB))];
  const above = used.reduce((sum, { rssMiB }, i) => sum + (minutes[i]! - x) * (rssMiB - y), 0);
  const below = minutes.reduce((sum, one) => sum + (one - x) ** 2, 0);
  return below === 0 ? null : above / below;
}

/** The value that this share of a list does not exceed; null of an empty one. */
export function percentile(list: readonly number[], share: number): number | null {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? null;
}
