import { expect, it } from 'vitest';
import { COMPACT_MS } from '@/lib/model/keys/free-cost';
import { isCompact } from '@/lib/redis/drain/drain-small';
import { mayExceed } from '@/lib/redis/keys/length-commands';
import { estimateDeleteMs } from '@/lib/snapshots/key-query/delete-cost';

it.each(['listpack', 'ziplist', 'intset', 'zipmap', 'listpackex'])(
  '%s is one allocation wherever it counts',
  (encoding) => {
    expect(estimateDeleteMs({ type: 'hash', encoding, length: 500, bytes: 20_000 })).toBe(COMPACT_MS);
    expect(isCompact(encoding)).toBe(true);
    // If the size is unknown, the limit is not exceeded: the server converts a value with so many elements to a table.
    expect(mayExceed('hash', encoding, -1)).toBe(false);
  },
);

it.each(['hashtable', 'skiplist', 'quicklist'])('%s is not', (encoding) => {
  expect(estimateDeleteMs({ type: 'hash', encoding, length: 500, bytes: 20_000 })).toBeCloseTo(0.215);
  expect(isCompact(encoding)).toBe(false);
  expect(mayExceed('hash', encoding, -1)).toBe(true);
});
