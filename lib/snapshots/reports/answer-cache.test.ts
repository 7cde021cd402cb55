import { expect, it } from 'vitest';
import { cacheAnswer, getCachedAnswer } from './answer-cache';

const MINUTE = 60_000;
const MIB = 1024 * 1024;

it('keeps what is asked, and drops what nobody has asked for five minutes', () => {
  cacheAnswer('a', { n: 1 }, 0);
  cacheAnswer('b', { n: 2 }, 0);
  expect(getCachedAnswer('a', 4 * MINUTE)).toEqual({ n: 1 });
  cacheAnswer('c', { n: 3 }, 5 * MINUTE);
  expect([getCachedAnswer('a', 5 * MINUTE), getCachedAnswer('b', 5 * MINUTE)]).toEqual([{ n: 1 }, undefined]);
});

it('gives each reader an answer of their own', () => {
  cacheAnswer('own', { list: [1] }, 5 * MINUTE);
  const first = getCachedAnswer('own', 5 * MINUTE) as { list: number[] };
  first.list.push(2);
  expect(getCachedAnswer('own', 5 * MINUTE)).toEqual({ list: [1] });
});

it('keeps no more than 24 MiB, and nothing above 2 MiB', () => {
  const now = 6 * MINUTE;
  for (let i = 0; i < 30; i++) cacheAnswer(`large ${i}`, 'x'.repeat(1.5 * MIB), now);
  const kept = Array.from({ length: 30 }, (_, i) => getCachedAnswer(`large ${i}`, now)).filter(Boolean);
  expect(kept.length).toBe(15);
  cacheAnswer('too large', 'x'.repeat(2.1 * MIB), now);
  expect(getCachedAnswer('too large', now)).toBeUndefined();
});
