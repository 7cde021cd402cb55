import { describe, expect, it } from 'vitest';
import { buildSequentialScale, findScaleStep, SKEW_SCALE, toDenseSlots } from './slot-scale';

describe('slot scale', () => {
  it('keeps empty slots apart and spreads the ordinary ones over several steps despite one giant', () => {
    const values = Array.from({ length: 1000 }, (_, i) => 10 + (i % 60));
    const scale = buildSequentialScale([...values, 1_000_000, 0, 0]);
    expect(findScaleStep(scale, 0)).toBe(0);
    expect(new Set(values.map((v) => findScaleStep(scale, v))).size).toBeGreaterThanOrEqual(6);
    expect(findScaleStep(scale, 1_000_000)).toBe(scale.steps - 1);
  });
  it('has two steps when all slots are alike or empty', () => {
    const alike = buildSequentialScale([5, 5, 5]);
    expect([findScaleStep(alike, 0), findScaleStep(alike, 5)]).toEqual([0, 1]);
    expect(findScaleStep(buildSequentialScale([]), 0)).toBe(0);
  });
  it('marks a slot far beyond the others, and none where all are near', () => {
    const usual = Array.from({ length: 1000 }, (_, i) => 10 + (i % 60));
    const scale = buildSequentialScale([...usual, 1_000_000]);
    expect(scale.outlierFrom).not.toBeNull();
    expect(usual.every((v) => v < (scale.outlierFrom ?? 0))).toBe(true);
    expect(buildSequentialScale(usual).outlierFrom).toBeNull();
  });
  it('rises with the value', () => {
    const scale = buildSequentialScale([1, 1, 2, 3, 9, 40, 41, 300]);
    let last = 0;
    for (let v = 0; v < 400; v++) {
      expect(findScaleStep(scale, v)).toBeGreaterThanOrEqual(last);
      last = findScaleStep(scale, v);
    }
    expect(last).toBe(scale.steps - 1);
  });
  it('calls 0.8 to 1.25 times the mean even', () => {
    expect([0, 0.3, 0.79, 0.8, 1, 1.24, 1.25, 3, 4].map((v) => findScaleStep(SKEW_SCALE, v))).toEqual([
      0, 1, 2, 3, 3, 3, 4, 5, 6,
    ]);
  });
  it('unfolds sparse arrays', () => {
    const dense = toDenseSlots([0, 16383], [7, 9]);
    expect([dense.length, dense[0], dense[1], dense[16383]]).toEqual([16384, 7, 0, 9]);
  });
});
