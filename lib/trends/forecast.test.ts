import { describe, expect, it } from 'vitest';
import { forecastLimit, type Measured, measureGrowth } from './forecast';

const DAY = 86_400_000;
const LIMIT = 100;
const SERIES = 60;

/** A generator with a seed, so that a failure can be repeated. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const addNoise = (random: () => number) => (random() + random() + random() - 1.5) * 0.4;

type Shape = (day: number, random: () => number, known: { days: number; step: number }) => number;
/** Memory over days, with a limit of 100. */
const SHAPES: Record<string, Shape> = {
  step: (day, random, { step }) => 70 * (day >= step ? 1.2 : 1) + addNoise(random),
  // Grows, and a job cleans up once a week. Without that job it would reach the limit 21 days after the last scan.
  cleanup: (day, random, { days }) => 40 + (day * 60) / (days + 20) + (day % 7) + addNoise(random),
  plain: (day, random, { days }) => 40 + (day * 60) / (days + 29) + addNoise(random),
  flat: (_day, random) => 80 + addNoise(random),
  wave: (day, random) => 80 + 8 * Math.sin((2 * Math.PI * day) / 7) + addNoise(random),
  peaks: (_day, random) => 75 + (random() < 0.1 ? 15 * random() : 0) + addNoise(random),
};

/** Simulates many series of a shape, with a scan at about the same time of each day. */
function simulate(shape: Shape, days: number) {
  return Array.from({ length: SERIES }, (_, seed) => {
    const random = createRandom(seed * 7919 + days);
    const known = { days, step: 1 + Math.floor(random() * (days - 1)) };
    const points = Array.from({ length: days }, (_, day) => ({
      at: day * DAY + random() * 600_000,
      value: shape(day, random, known),
    }));
    return forecastLimit(points, LIMIT);
  });
}

describe.each([21, 30, 60])('with %d days', (days) => {
  it.each(['step', 'flat', 'wave', 'peaks'])('says nothing about %s', (name) => {
    expect(simulate(SHAPES[name]!, days).filter((found) => found !== null)).toEqual([]);
  });

  it.each([
    ['cleanup', 21],
    ['plain', 30],
  ])('says when %s reaches the limit, always', (name, day) => {
    const found = simulate(SHAPES[name]!, days);
    for (const forecast of found) {
      expect(forecast?.from).toBeGreaterThanOrEqual(day - 7);
      expect(forecast?.from).toBeLessThanOrEqual(day);
      expect(forecast?.to).toBeGreaterThanOrEqual(day - 3);
      expect(forecast?.to).toBeLessThanOrEqual(day + 8);
    }
  });
});

const line = (days: number, every: number, toValue: (day: number) => number | null): Measured[] =>
  Array.from({ length: Math.floor(days / every) + 1 }, (_, i) => ({ at: i * every * DAY, value: toValue(i * every) }));

it('says nothing before differences cover fifteen days, about what shrinks, or about a far day', () => {
  expect(
    forecastLimit(
      line(19, 1, (day) => 50 + day),
      LIMIT,
    ),
  ).toBeNull();
  expect(
    forecastLimit(
      line(21, 1, (day) => 50 + day),
      LIMIT,
    ),
  ).toEqual({ from: 30, to: 30, perDay: 1 });
  expect(
    forecastLimit(
      line(30, 1, (day) => 90 - day),
      LIMIT,
    ),
  ).toBeNull();
  expect(
    forecastLimit(
      line(30, 1, (day) => 10 + day / 10),
      LIMIT,
    ),
  ).toBeNull();
  // It is above the limit already.
  expect(
    forecastLimit(
      line(30, 1, (day) => 90 + day),
      LIMIT,
    ),
  ).toBeNull();
  expect(forecastLimit([], LIMIT)).toBeNull();
});

it('measures growth per day, also with scans once a week, and not with scans every ten days', () => {
  expect(measureGrowth(line(28, 7, (day) => day * 3))).toEqual({ perDay: 3, low: 3, high: 3 });
  expect(measureGrowth(line(60, 10, (day) => day * 3))).toBeNull();
});

it('takes unknown values for unknown, not for 0', () => {
  const points = line(30, 1, (day) => (day % 3 === 0 ? null : 50 + day));
  expect(forecastLimit(points, LIMIT)).toMatchObject({ perDay: 1 });
  expect(
    forecastLimit(
      line(30, 1, () => null),
      LIMIT,
    ),
  ).toBeNull();
});
