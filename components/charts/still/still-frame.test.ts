import { expect, it } from 'vitest';
import { thatFit } from './still-frame';

/** Of one letter. */
const LETTER = 6.2;
const marks = (count: number, last: string) =>
  Array.from({ length: count }, (_, i) => ({ at: (i + 0.5) / count, label: i === count - 1 ? last : 'x' }));

it('ends the last label where the plot ends, and keeps others off it', () => {
  const [width, gap] = [200, 6];
  const kept = thatFit(marks(20, '64 MiB'), width, gap);
  const last = kept.at(-1)!;
  expect(last.label).toBe('64 MiB');
  expect(last.at * width + (last.label.length * LETTER) / 2).toBeCloseTo(width);
  const before = kept.at(-2)!;
  expect(before.at * width + LETTER / 2 + gap).toBeLessThanOrEqual(width - last.label.length * LETTER);
});

it('leaves a last label that fits in the middle of its bar', () => {
  expect(thatFit(marks(3, '9'), 300, 6).at(-1)?.at).toBeCloseTo(5 / 6);
});
