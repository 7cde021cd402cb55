import { expect, it } from 'vitest';
import { percentile } from './percentile';

it('tells what a share of a list does not exceed', () => {
  const list = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(percentile(list, 0.95)).toBe(95);
  expect(percentile(list, 1)).toBe(100);
  expect(percentile([], 0.95)).toBeNull();
});
