import { expect, it } from 'vitest';
import { getMinElementBytes, MIN_ELEMENT_BYTES_SQL } from '@/lib/model/keys/min-element-bytes';
import { withRows } from './ad-hoc-rows';

it('the scan and the snapshot know the same least memory of an element', async () => {
  const encodings = [
    'listpack',
    'ziplist',
    'listpackex',
    'intset',
    'quicklist',
    'linkedlist',
    'hashtable',
    'skiplist',
    null,
  ];
  const rows = ['hash', 'list', 'set', 'zset', 'stream'].flatMap((type) =>
    encodings.map((encoding) => ({ name: `${type}:${encoding}`, type, encoding })),
  );
  const found = await withRows(rows, (source) =>
    source.query<{ bytes: number }>(`SELECT ${MIN_ELEMENT_BYTES_SQL} AS bytes FROM ${source.keys} ORDER BY ordinal`),
  );
  expect(found.map(({ bytes }) => bytes)).toEqual(rows.map(({ type, encoding }) => getMinElementBytes(type, encoding)));
  expect(new Set(found.map(({ bytes }) => bytes))).toEqual(new Set([2, 4, 16]));
});
