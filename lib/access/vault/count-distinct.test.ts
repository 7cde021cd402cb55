import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ElementChunk, ElementType } from '@/lib/model/deletions/archive';
import { temporaryData } from '@/test/temporary-data';
import { generateArchiveName } from './archive-folder';
import { verifyArchive } from './archive-reader';
import { openArchiveWriter } from './archive-writer';
import { countDistinct, countDistinctIn } from './count-distinct';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

const texts = (...values: unknown[]) => values.map((value) => Buffer.from(String(value)));
async function counted(type: ElementType, files: ElementChunk[][]): Promise<number> {
  const parts = [];
  for (const [part, chunks] of files.entries()) {
    const file = generateArchiveName('job1', part);
    const writer = await openArchiveWriter({ deletionId: 'job1', file });
    const name = Buffer.from('k');
    writer.writeKey({ seq: 0, name, db: 0, type, encoding: null, length: null, expireAt: null, archivedAt: 1 });
    for (const chunk of chunks) writer.writeChunk(0, chunk);
    await writer.sync();
    await writer.close();
    parts.push({ file, index: await verifyArchive(file, 'job1') });
  }
  const distinct = await countDistinct(parts, 0);
  expect(countDistinctIn(files.flat())).toBe(distinct);
  return distinct;
}

it.each<[ElementType, ElementChunk[][], number]>([
  [
    'hash',
    [
      [{ type: 'hash', start: 0, elements: 2, values: texts('a', 1, 'b', 1) }],
      [{ type: 'hash', start: 0, elements: 2, values: texts('b', 2, 'c', 1) }],
    ],
    3,
  ],
  ['set', [[{ type: 'set', start: 0, elements: 3, values: texts('', 'a', 'a') }]], 2],
  ['zset', [[{ type: 'zset', start: 7, elements: 3, values: texts('a', 1, 'b', 2, 'a\0', 3) }]], 3],
  [
    'stream',
    [
      [
        { type: 'groups', start: 0, elements: 0, values: texts('[]') },
        { type: 'stream', start: 0, elements: 2, values: texts('1-1', 2, 'f', 'v', '1-2', 0) },
        { type: 'stream', start: 0, elements: 2, values: texts('1-2', 0, '1-3', 2, '1-1', '1-2') },
      ],
    ],
    3,
  ],
  [
    'list',
    [
      [{ type: 'list', start: 5, elements: 2, values: texts('x', 'y') }],
      [
        { type: 'list', start: 4, elements: 2, values: texts('w', 'x') },
        { type: 'list', start: 0, elements: 1, values: texts('a') },
      ],
    ],
    4,
  ],
  ['string', [[{ type: 'string', start: 0, elements: 3, values: texts('abc') }]], 3],
  ['set', [[]], 0],
])('%s: counts each element once', async (type, files, distinct) => {
  expect(await counted(type, files)).toBe(distinct);
});

it('tells names apart that differ in a digit, a zero or their length', async () => {
  const names = Array.from({ length: 200_000 }, (_, i) => `session:${i}:${'\0'.repeat(i % 3)}`);
  const chunk: ElementChunk = {
    type: 'set',
    start: 0,
    elements: names.length,
    values: names.map((name) => Buffer.from(name)),
  };
  expect(await counted('set', [[chunk], [chunk]])).toBe(names.length);
});
