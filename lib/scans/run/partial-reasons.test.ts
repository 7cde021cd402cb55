import { describe, expect, it } from 'vitest';
import { type PartitionCheckpoint, ScanOptions } from '@/lib/model/snapshots/scan';
import { findPartialReasons } from './partial-reasons';
import { createCheckpoint } from './scan-checkpoint';

const partition = (more: Partial<PartitionCheckpoint>): PartitionCheckpoint => ({
  node: 0,
  db: 0,
  runId: null,
  cursor: '0',
  done: true,
  parts: [],
  keys: 0,
  vanished: 0,
  restarts: 0,
  keysAtStart: null,
  keysAtEnd: null,
  ...more,
});

function findReasons(partitions: Partial<PartitionCheckpoint>[], sealedKeys: number | null = null, match?: string) {
  const checkpoint = createCheckpoint('s', ScanOptions.parse({ match: match ?? null }));
  checkpoint.readingDone = true;
  checkpoint.partitions = partitions.map(partition);
  return findPartialReasons(checkpoint, sealedKeys);
}

describe('fewer keys than the server counted', () => {
  it('are a reason: keys that changed nodes while both were read', () => {
    const nodes = [
      { keys: 250_000, keysAtStart: 260_500, keysAtEnd: 230_500 },
      { node: 1, keys: 253_279, keysAtStart: 260_500, keysAtEnd: 290_500 },
    ];
    expect(findReasons(nodes)).toEqual([
      { code: 'fewer_than_counted', address: null, db: 0, params: { read: 503_279, counted: 521_000 } },
    ]);
  });

  it('are a reason: a cursor of another process', () => {
    expect(findReasons([{ keys: 980_116, keysAtStart: 1_000_000, keysAtEnd: 1_000_000 }])).toHaveLength(1);
  });

  it('are found although repeated keys make up for them', () => {
    const one = { keys: 1_000_000, keysAtStart: 1_000_000, keysAtEnd: 1_000_000 };
    expect(findReasons([one])).toEqual([]);
    expect(findReasons([one], 970_000)).toEqual([
      { code: 'fewer_than_counted', address: null, db: null, params: { read: 970_000, counted: 1_000_000 } },
    ]);
  });

  it('are none where keys were removed, vanished, are internal or may be over', () => {
    expect(findReasons([{ keys: 400, keysAtStart: 100_000, keysAtEnd: 400 }])).toEqual([]);
    expect(findReasons([{ keys: 400, keysAtStart: 400, keysAtEnd: 100_000 }])).toEqual([]);
    const counted = { keysAtStart: 100_000, keysAtEnd: 100_000 };
    expect(findReasons([{ ...counted, keys: 90_000, vanished: 5000, internal: 5000 }])).toEqual([]);
    expect(findReasons([{ ...counted, keys: 80_000, expiring: 80_000 }])).toEqual([]);
  });

  it('cannot be told where nothing was counted, or where only names of a prefix were read', () => {
    expect(findReasons([{ keys: 1, keysAtStart: null, keysAtEnd: 100_000 }])).toEqual([]);
    expect(findReasons([{ keys: 1, keysAtStart: 100_000, keysAtEnd: 100_000 }], null, 'a:')).toEqual([]);
  });
});
