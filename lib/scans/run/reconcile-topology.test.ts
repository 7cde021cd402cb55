import { describe, expect, it } from 'vitest';
import type { NodeFacts } from '@/lib/model/servers/server-facts';
import { joinSlotRanges } from '@/lib/model/servers/slot-ranges';
import type { ScanOptions } from '@/lib/model/snapshots/scan';
import { type ChosenNode, chooseNodes } from './choose-nodes';
import { reconcileTopology } from './reconcile-topology';
import { createCheckpoint, type ScanCheckpoint } from './scan-checkpoint';

const OPTIONS: ScanOptions = {
  speed: 'gentle',
  target: 'auto',
  facts: 'full',
  counts: 'large',
  values: 0,
  valuesReason: null,
  databases: null,
  match: null,
};

function node(address: string, more: Partial<NodeFacts> = {}): NodeFacts {
  return {
    address,
    host: address,
    port: 1,
    runId: `run-${address}`,
    role: 'master',
    masterAddress: null,
    slots: [],
    healthy: true,
    version: '7.0.15',
    keys: 1,
    usedMemoryBytes: 1,
    maxmemoryBytes: 0,
    ...more,
  };
}
const chosen = (facts: NodeFacts): ChosenNode => ({ node: facts, slots: facts.slots });

function makeCheckpoint(
  ...nodes: { facts: NodeFacts; done?: boolean; parts?: string[]; cursor?: string }[]
): ScanCheckpoint {
  const checkpoint = createCheckpoint('s1', OPTIONS);
  for (const { facts, done = false, parts = [], cursor = '0' } of nodes) {
    const index =
      checkpoint.nodes.push({ address: facts.address, runId: facts.runId, role: facts.role, slots: facts.slots }) - 1;
    checkpoint.partitions.push({
      node: index,
      db: 0,
      runId: facts.runId,
      cursor,
      done,
      parts,
      keys: parts.length,
      vanished: 0,
      restarts: 0,
      keysAtStart: 1,
      keysAtEnd: null,
    });
  }
  return checkpoint;
}

describe('holding the work done against the topology of now', () => {
  it('asks for nothing when nothing changed', () => {
    const a = node('a', { slots: [[0, 100]] });
    const checkpoint = makeCheckpoint({ facts: a, cursor: '17', parts: ['p0'] });
    expect(reconcileTopology(checkpoint, [chosen(a)])).toEqual({
      staleParts: [],
      restartedAddresses: [],
      newNodes: [],
    });
    expect(checkpoint.partitions[0]?.cursor).toBe('17');
  });

  it('starts a node again when another process answers under its address', () => {
    const a = node('a');
    const checkpoint = makeCheckpoint({ facts: a, cursor: '17', parts: ['p0', 'p1'] });
    const result = reconcileTopology(checkpoint, [chosen({ ...a, runId: 'other' })]);
    expect(result).toMatchObject({ staleParts: ['p0', 'p1'], restartedAddresses: ['a'] });
    expect(checkpoint.partitions[0]).toMatchObject({
      cursor: '0',
      done: false,
      parts: [],
      keys: 0,
      restarts: 1,
      runId: null,
    });
  });

  it('reads a finished node again when it gained slots, and leaves the loser as it is', () => {
    const a = node('a', { slots: [[0, 100]] });
    const b = node('b', { slots: [[101, 200]] });
    const checkpoint = makeCheckpoint(
      { facts: a, done: true, parts: ['a0'] },
      { facts: b, cursor: '5', parts: ['b0'] },
    );
    const result = reconcileTopology(checkpoint, [
      chosen({ ...a, slots: [[0, 120]] }),
      chosen({ ...b, slots: [[121, 200]] }),
    ]);
    expect(result).toMatchObject({ staleParts: ['a0'], restartedAddresses: ['a'] });
    expect(checkpoint.partitions.map((p) => [p.node, p.done, p.cursor])).toEqual([
      [0, false, '0'],
      [1, false, '5'],
    ]);
  });

  it('sees the same slots in other pieces as no gain', () => {
    const a = node('a', {
      slots: joinSlotRanges([
        [0, 50],
        [51, 100],
      ]),
    });
    const checkpoint = makeCheckpoint({ facts: a, done: true, parts: ['a0'] });
    expect(reconcileTopology(checkpoint, [chosen({ ...a, slots: [[0, 100]] })]).restartedAddresses).toEqual([]);
  });

  it('drops what was unfinished on a node that is gone and adds the one that took over', () => {
    const a = node('a', { slots: [[0, 16383]] });
    const promoted = node('r', { slots: [[0, 16383]] });
    const checkpoint = makeCheckpoint({ facts: a, cursor: '9', parts: ['a0'] });
    const result = reconcileTopology(checkpoint, [chosen(promoted)]);
    expect(result.staleParts).toEqual(['a0']);
    expect(result.newNodes.map((n) => n.node.address)).toEqual(['r']);
    expect(checkpoint.partitions).toEqual([]);
  });

  it('keeps the place of a node that does not answer now', () => {
    const a = node('a');
    const b = node('b');
    const checkpoint = makeCheckpoint(
      { facts: a, done: true, parts: ['a0'] },
      { facts: b, cursor: '5', parts: ['b0'] },
    );
    expect(reconcileTopology(checkpoint, [chosen(a)], ['b']).staleParts).toEqual([]);
    expect(checkpoint.partitions).toHaveLength(2);
  });

  it('adds a node again that had been dropped and came back', () => {
    const a = node('a');
    const checkpoint = makeCheckpoint({ facts: a, cursor: '9', parts: ['a0'] });
    reconcileTopology(checkpoint, [chosen(node('z'))]);
    expect(reconcileTopology(checkpoint, [chosen(a)]).newNodes.map((n) => n.node.address)).toEqual(['a']);
  });
});

describe('choosing which process is read', () => {
  const master = node('m', { slots: [[0, 10]] });
  const replica = node('r', { role: 'replica', masterAddress: 'm' });

  it('prefers a healthy replica, with the slots of its master', () => {
    expect(chooseNodes([master, replica], 'auto').chosen).toEqual([{ node: replica, slots: [[0, 10]] }]);
  });
  it('takes the master where the replica is not healthy or the master is ordered', () => {
    expect(chooseNodes([master, { ...replica, healthy: false }], 'auto').chosen[0]?.node.address).toBe('m');
    expect(chooseNodes([master, replica], 'primary').chosen[0]?.node.address).toBe('m');
  });
  it('stays with the node it has begun to read', () => {
    expect(chooseNodes([master, replica], 'auto', new Set(['m'])).chosen[0]?.node.address).toBe('m');
    const other = node('r2', { role: 'replica', masterAddress: 'm' });
    expect(chooseNodes([master, replica, other], 'auto', new Set(['r2'])).chosen[0]?.node.address).toBe('r2');
  });
  it('says which shard has no replica when one is ordered', () => {
    expect(chooseNodes([master], 'replica')).toEqual({
      chosen: [],
      notRead: [{ address: 'm', reason: 'no_healthy_replica', slots: 11 }],
    });
  });
  it('leaves out a cluster master without slots and names an unreachable one', () => {
    const empty = node('e');
    const dead = node('d', { slots: [[11, 20]], healthy: false });
    const { chosen: picked, notRead } = chooseNodes([master, empty, dead], 'auto');
    expect(picked.map((c) => c.node.address)).toEqual(['m']);
    expect(notRead).toEqual([{ address: 'd', reason: 'unreachable', slots: 10 }]);
  });
});

it('looks at each of thousands of slot ranges a few times, however many the node has', () => {
  let looks = 0;
  const ranges = new Proxy(
    Array.from({ length: 8192 }, (_, i): [number, number] => [i * 2, i * 2]),
    {
      get(list, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) looks++;
        return Reflect.get(list, name);
      },
    },
  );
  const even = node('even', { slots: ranges });
  const checkpoint = makeCheckpoint({ facts: even, cursor: '7', parts: ['p1'] });
  expect(reconcileTopology(checkpoint, [chosen(even)])).toEqual({
    staleParts: [],
    restartedAddresses: [],
    newNodes: [],
  });
  expect(looks).toBeLessThan(10 * 8192);
});
