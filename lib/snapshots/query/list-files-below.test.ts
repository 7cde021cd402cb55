import { expect, it } from 'vitest';
import { listFilesBelow } from './list-files-below';

const files = ['keys-0000.parquet', 'keys-0001.parquet', 'keys-0002.parquet', 'keys-0003.parquet'];
const cuts = ['m:b:', 'm:c', 'é'];
const listIndexes = (prefix: string | undefined, given: string[] | undefined = cuts) =>
  listFilesBelow({ files, ...(given && { cuts: given }) }, prefix).map((file) => files.indexOf(file));

it.each([
  ['a', [0]],
  ['m:', [0, 1, 2]],
  ['m:b', [0, 1]],
  // A cut is exactly at this prefix, so the previous file holds no such name.
  ['m:b:', [1]],
  ['m:b:x', [1]],
  ['m:c', [2]],
  ['m:d', [2]],
  ['z', [2]],
  ['é', [3]],
  // Names are compared by bytes; JavaScript compares these texts the other way round.
  ['\uffee', [3]],
  ['\u{10000}', [3]],
])('names that begin with %s', (prefix, expected) => {
  expect(listIndexes(prefix)).toEqual(expected);
});

it('sorts as the files are sorted, not as JavaScript does', () => {
  const given = ['\uff00', '\u{10000}', '\u{10ffff}'];
  expect(listIndexes('\uff01', given)).toEqual([1]);
  expect(listIndexes('\u{10001}', given)).toEqual([2]);
});

it('names every file where the question or the description does not say', () => {
  expect(listIndexes(undefined)).toEqual([0, 1, 2, 3]);
  expect(listIndexes('')).toEqual([0, 1, 2, 3]);
  expect(listFilesBelow({ files }, 'm:')).toEqual(files);
  // The cuts belong to another list of files.
  expect(listIndexes('a', cuts.slice(1))).toEqual([0, 1, 2, 3]);
  expect(listFilesBelow({ files: ['keys-0000.parquet'], cuts: [] }, 'a')).toEqual(['keys-0000.parquet']);
});
