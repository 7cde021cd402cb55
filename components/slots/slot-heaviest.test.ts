import { expect, it } from 'vitest';
import { findCause } from './slot-heaviest';

const tags = [
  { tag: 'hot', slot: 7, keys: 20_000, bytes: 100 },
  { tag: 'big', slot: 9, keys: 3, bytes: 900_000 },
  { tag: 'user:2066', slot: 7, keys: 2, bytes: 50 },
];

it('names the hash tag that makes a slot large, by keys or by memory', () => {
  expect(findCause({ slot: 7, keys: 20_002, bytes: 150 }, tags)).toBe('hot');
  expect(findCause({ slot: 9, keys: 5000, bytes: 1_000_000 }, tags)).toBe('big');
});

it('names none where no tag has most of the slot', () => {
  expect(findCause({ slot: 7, keys: 90_000, bytes: 9000 }, tags)).toBeNull();
  expect(findCause({ slot: 8, keys: 1, bytes: 1 }, tags)).toBeNull();
});
