import { describe, expect, it } from 'vitest';
import { findSlotOwners } from './slot-map-card';

const node = (index: number, role: string, ranges: [number, number][]) => ({
  node: index,
  address: `n${index}`,
  role,
  ranges,
  slotCount: 0,
  keys: 0,
  bytes: 0,
  bytesUnknown: 0,
});

describe('slotOwners', () => {
  it('takes ranges as inclusive and leaves the rest to nobody', () => {
    const owners = findSlotOwners([
      node(0, 'master', [[0, 99]]),
      node(1, 'master', [
        [100, 100],
        [16_383, 16_383],
      ]),
    ]);
    expect([owners[0], owners[99], owners[100], owners[101], owners[16_383]]).toEqual([0, 0, 1, -1, 1]);
  });
  it('asks replicas only of slots whose master the scan did not read', () => {
    const both = [node(0, 'master', [[0, 9]]), node(1, 'replica', [[0, 9]])];
    expect(findSlotOwners(both)[5]).toBe(0);
    expect(findSlotOwners(both.slice(1))[5]).toBe(1);
    // One shard was read from its master, the other from a replica.
    const owners = findSlotOwners([...both, node(2, 'replica', [[10, 19]])]);
    expect([owners[5], owners[15], owners[20]]).toEqual([0, 2, -1]);
  });
});
