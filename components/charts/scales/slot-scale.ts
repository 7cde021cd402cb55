/** The colour steps of the slot map. */

/** Number of slots of a cluster. */
export const SLOT_COUNT = 16_384;

export interface SlotScale {
  /** Ascending. A value belongs to the step after the last bound it reaches. */
  bounds: number[];
  steps: number;
  /** A slot with at least this value is an outlier and is marked; null: there is none. */
  outlierFrom: number | null;
}

/** A slot is an outlier from this many times the 98th percentile. */
const OUTLIER_TIMES = 4;

/**
 * The scale for numbers of keys or bytes. Step 0 is an empty slot, followed by up to six even steps over the middle
 * 96 % of the slots, so that one huge slot does not make all others pale.
 */
export function buildSequentialScale(values: readonly number[]): SlotScale {
  const present = values.filter((value) => value > 0).sort((a, b) => a - b);
  if (present.length === 0) return { bounds: [1], steps: 2, outlierFrom: null };
  const getQuantile = (share: number) => present[Math.min(present.length - 1, Math.floor(present.length * share))] ?? 1;
  const [low, high] = [getQuantile(0.02), getQuantile(0.98)];
  const inner = [1, 2, 3, 4, 5].map((i) => Math.round(low + ((high - low) * i) / 6));
  const bounds = [...new Set([Math.min(1, low), ...inner.filter((bound) => bound > low)])];
  const outlierFrom = (present.at(-1) ?? 0) >= high * OUTLIER_TIMES ? high * OUTLIER_TIMES : null;
  if (outlierFrom !== null) bounds.push(outlierFrom);
  return { bounds, steps: bounds.length + 1, outlierFrom };
}

/** The scale for multiples of the mean. Step 3 (0.8–1.25) is "even". */
export const SKEW_SCALE: SlotScale = { bounds: [0.25, 0.5, 0.8, 1.25, 2, 4], steps: 7, outlierFrom: 16 };

export function findScaleStep(scale: SlotScale, value: number): number {
  let step = 0;
  while (step < scale.bounds.length && value >= (scale.bounds[step] ?? Number.POSITIVE_INFINITY)) step++;
  return step;
}

/** Turns parallel sparse arrays into one value for each of the 16,384 slots; 0 for slots that are not listed. */
export function toDenseSlots(slot: readonly number[], values: readonly number[]): Float64Array {
  const dense = new Float64Array(SLOT_COUNT);
  for (const [i, index] of slot.entries()) dense[index] = values[i] ?? 0;
  return dense;
}
