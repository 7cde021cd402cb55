import { expect, it } from 'vitest';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { listSealedRanges } from './key-ranges';

const listFiles = (keys: number, count: number, keyBytes = 11) => {
  const files = Array.from({ length: count }, (_, i) => `keys-${String(i).padStart(4, '0')}.parquet`);
  const ranges = listSealedRanges('/data/s', {
    keys,
    files,
    fileBytes: keys * keyBytes,
  } as unknown as SnapshotManifest);
  return ranges.map((range) => [...range.matchAll(/keys-(\d+)/g)].map(([, number]) => Number(number)));
};

it('takes neighbouring files together up to two million keys, and all of them in order', () => {
  expect(listFiles(10_000_000, 40).map((range) => range.length)).toEqual(Array(5).fill(8));
  expect(listFiles(10_000_000, 41).at(-1)).toEqual([40]);
  expect(listFiles(10_000_000, 41).flat()).toEqual(Array.from({ length: 41 }, (_, i) => i));
  expect(listFiles(100_000_000, 80).map((range) => range.length)).toEqual(Array(80).fill(1));
  expect(listFiles(100_000_000, 101).at(-1)).toEqual([100]);
  expect(listFiles(900_000, 4)).toEqual([[0, 1, 2, 3]]);
  expect(listFiles(10_000_000, 67).map((range) => range.length)).toEqual([...Array(5).fill(13), 2]);
  expect(listFiles(1_000_000, 8).map((range) => range.length)).toEqual([8]);
});

it('leaves files alone that were cut because their rows are long, and the one of an empty keyspace', () => {
  expect(listFiles(1_000_000, 20).map((range) => range.length)).toEqual(Array(20).fill(1));
  expect(listFiles(0, 1)).toEqual([[0]]);
  expect(listFiles(2_000_000, 20, 600).map((range) => range.length)).toEqual(Array(20).fill(1));
  expect(listFiles(2_000_000, 20, 300).map((range) => range.length)).toEqual(Array(10).fill(2));
});
