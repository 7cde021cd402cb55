import { describe, expect, it } from 'vitest';
import { buildSparklinePath } from './sparkline';

describe('buildSparklinePath', () => {
  it('puts the lowest value at the bottom and the highest at the top', () => {
    expect(buildSparklinePath([0, 10], 100, 24).line).toBe('M2 22L98 2');
  });
  it('keeps a small change small', () => {
    expect(buildSparklinePath([1000, 990], 100, 24).line).toBe('M2 11L98 13');
  });
  it('draws a flat series in the middle', () => {
    expect(buildSparklinePath([5, 5, 5], 100, 24).line).toBe('M2 12L50 12L98 12');
  });
});
