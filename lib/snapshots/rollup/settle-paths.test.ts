import { expect, it } from 'vitest';
import { MAX_CHILDREN, SettledPaths } from './settle-paths';

it('loses no path where thousands of ids become few nodes while they are added', () => {
  const words = Array.from(
    { length: 100 },
    (_, i) => `w${String.fromCodePoint(97 + (i % 10), 97 + Math.floor(i / 10))}`,
  );
  const ids = Array.from({ length: (2 * MAX_CHILDREN) / words.length + 5 }, (_, i) => i);
  // The words below one id are below no other id.
  const names = ids.flatMap((id) => words.map((word) => `${id}_${word}:of${word}x${id}:end`));
  const settled = new SettledPaths();
  for (const name of names) settled.add(name);
  settled.settle();
  expect(names.map((name) => settled.getSettled(name))).toEqual(names.map((name) => name.replace(/^\d+/, '{int}')));
});
