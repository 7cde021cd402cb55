import { expect, it } from 'vitest';
import { divide } from './parts.mjs';

const files = Array.from({ length: 23 }, (_, i) => ({ stage: i % 5 ? 'integration' : 'e2e', file: `${i}.itest.ts` }));
const seconds = Object.fromEntries(
  files.slice(0, 20).map(({ stage, file }, i) => [`${stage} ${file}`, (i * 37) % 101]),
);
const sum = (part: typeof files) =>
  part.reduce((total, { stage, file }) => total + (seconds[`${stage} ${file}`] ?? 15), 0);

it('each file is in one part, and the parts are about as long as each other', () => {
  const parts = divide(files, 4, seconds);
  expect(
    parts
      .flat()
      .map(({ file }) => file)
      .toSorted(),
  ).toEqual(files.map(({ file }) => file).toSorted());
  const sums = parts.map(sum);
  expect(Math.max(...sums) - Math.min(...sums)).toBeLessThan(40);
});

it('the order in which files are found decides nothing', () => {
  expect(divide(files.toReversed(), 3, seconds)).toEqual(divide(files, 3, seconds));
});
