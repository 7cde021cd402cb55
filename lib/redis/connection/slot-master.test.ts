import { expect, it } from 'vitest';
import type { NodeFacts } from '@/lib/model/servers/server-facts';
import { readOpenSlots } from '@/lib/redis/server/open-slots';
import type { RedisSession } from './session';
import { findSlotMaster, getSlotMaster } from './slot-master';

const node = (address: string, more: Partial<NodeFacts> = {}): NodeFacts => ({
  address,
  host: address,
  port: 6379,
  runId: null,
  role: 'master',
  masterAddress: null,
  slots: [[0, 99]],
  healthy: true,
  version: null,
  keys: null,
  usedMemoryBytes: null,
  maxmemoryBytes: null,
  ...more,
});
const failed = node('failed', { healthy: false });
const promoted = node('promoted');
const replica = node('replica', { role: 'replica' });
const other = node('other', { slots: [[100, 16_383]] });

it('of two masters that say they serve a slot, takes the healthy one; never a replica', () => {
  expect(findSlotMaster([replica, failed, promoted, other], 5)).toBe(promoted);
  expect(findSlotMaster([replica, failed, other], 5)).toBe(failed);
  expect(findSlotMaster([replica, other], 5)).toBeUndefined();
  expect(findSlotMaster([failed, promoted, other], 100)).toBe(other);
});

it('an open slot belongs to the same master that keys of it are read from', async () => {
  const session = {
    target: { topology: 'cluster' },
    nodes: [replica, failed, promoted, other],
    client: async (address: string) => {
      if (address === 'failed') throw new Error('away');
      return { call: async () => `id ${address} myself,master - 0 0 1 connected 0-99 [5->-id2]` };
    },
    problems: new Map(),
  } as unknown as RedisSession;
  expect(getSlotMaster(session, 5).address).toBe('promoted');
  expect([...(await readOpenSlots(session))]).toEqual([[5, 'promoted']]);
});
