import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAddress, parseAddress } from '@/lib/redis/connection/address';
import {
  type AnnouncedNode,
  type ClusterReply,
  mergeByAddress,
  readNodes,
  readShards,
  readSlots,
} from './topology-cluster';

const where = { host: 'seed.example', port: 7000, tls: false };
const places = (nodes: AnnouncedNode[]) =>
  nodes.map(({ host, port, role, slots, masterAddress, healthy }) => ({
    at: `${host}:${port}`,
    role,
    slots,
    masterAddress,
    healthy,
  }));

const member = (fields: Record<string, string | number | null>): ClusterReply => Object.entries(fields).flat();

describe('CLUSTER SHARDS', () => {
  it('takes the endpoint, else the address, else the one we asked, and the TLS port where TLS is spoken', () => {
    const reply: ClusterReply = [
      [
        'slots',
        [0, 1, 5, 9],
        'nodes',
        [
          member({
            id: 'a',
            port: 7000,
            'tls-port': 7443,
            ip: '10.0.0.1',
            endpoint: 'redis-1.example',
            role: 'master',
            health: 'online',
          }),
          member({
            id: 'b',
            port: 7001,
            'tls-port': 7444,
            ip: '10.0.0.2',
            endpoint: '?',
            role: 'replica',
            health: 'online',
          }),
          member({ id: 'c', port: 7002, 'tls-port': 7445, ip: '', endpoint: null, role: 'replica', health: 'loading' }),
        ],
      ],
    ];
    expect(places(readShards(reply, where))).toEqual([
      {
        at: 'redis-1.example:7000',
        role: 'master',
        slots: [
          [0, 1],
          [5, 9],
        ],
        masterAddress: null,
        healthy: true,
      },
      { at: '10.0.0.2:7001', role: 'replica', slots: [], masterAddress: 'redis-1.example:7000', healthy: true },
      { at: 'seed.example:7002', role: 'replica', slots: [], masterAddress: 'redis-1.example:7000', healthy: false },
    ]);
    expect(
      readShards([['slots', [], 'nodes', [member({ port: 7003, ip: '10.0.0.4', endpoint: null })]]], where)[0]?.host,
    ).toBe('seed.example');
    expect(readShards(reply, { ...where, tls: true }).map((node) => node.port)).toEqual([7443, 7444, 7445]);
  });

  it('gives the slots to the living master after a failover', () => {
    const reply: ClusterReply = [
      [
        'slots',
        [0, 16_383],
        'nodes',
        [
          member({ id: 'old', port: 1, ip: '10.0.0.1', endpoint: '10.0.0.1', role: 'master', health: 'fail' }),
          member({ id: 'new', port: 2, ip: '10.0.0.2', endpoint: '10.0.0.2', role: 'master', health: 'online' }),
        ],
      ],
    ];
    expect(places(readShards(reply, where))).toEqual([
      { at: '10.0.0.2:2', role: 'master', slots: [[0, 16_383]], masterAddress: null, healthy: true },
    ]);
  });
});

it('CLUSTER SLOTS joins the ranges of a node and knows nil and empty hosts', () => {
  const reply: ClusterReply = [
    [0, 100, ['', 7000, 'a'], ['10.0.0.9', 7009, 'r']],
    [200, 300, [null, 7000, 'a']],
    [301, 16_383, ['10.0.0.2', 7001, 'b', []]],
    [99_999, 100_000, ['10.0.0.2', 7001, 'b']],
    [400, 500, ['10.0.0.3', 70_000, 'c']],
  ];
  expect(places(readSlots(reply, where))).toEqual([
    {
      at: 'seed.example:7000',
      role: 'master',
      slots: [
        [0, 100],
        [200, 300],
      ],
      masterAddress: null,
      healthy: true,
    },
    { at: '10.0.0.9:7009', role: 'replica', slots: [], masterAddress: 'seed.example:7000', healthy: true },
    { at: '10.0.0.2:7001', role: 'master', slots: [[301, 16_383]], masterAddress: null, healthy: true },
  ]);
});

it('takes the name that a node announces beside its address, and nothing that is no name', () => {
  const announced = ['redis-1.example', '', '?', '10.0.0.9', 'a b', 'x\r\ny', null];
  const shards: ClusterReply = announced.map((hostname, i) => [
    'slots',
    [i, i],
    'nodes',
    [member({ port: 7000 + i, ip: '10.0.0.1', endpoint: '10.0.0.1', hostname, role: 'master', health: 'online' })],
  ]);
  const slots: ClusterReply = announced.map((hostname, i) => [
    i,
    i,
    ['10.0.0.1', 7000 + i, 'id', ['hostname', hostname]],
  ]);
  for (const nodes of [readShards(shards, where), readSlots(slots, where)])
    expect(nodes.map(({ hostname }) => hostname)).toEqual(['redis-1.example', null, null, null, null, null, null]);
  expect(readNodes('aa 10.0.0.1:7000@17000,one.example master - 0 0 1 connected 0-5', where)).toMatchObject([
    { host: '10.0.0.1', hostname: 'one.example' },
  ]);
});

it('CLUSTER SLOTS without a name tells the address, and nil the host that was asked', () => {
  const reply: ClusterReply = [
    [0, 1, ['?', 7000, 'a', ['ip', '10.0.0.1']]],
    [2, 3, [null, 7001, 'b', ['ip', '10.0.0.2']]],
  ];
  expect(readSlots(reply, where).map(({ host }) => host)).toEqual(['10.0.0.1', 'seed.example']);
});

it('CLUSTER NODES is read with hostnames, failures, migrating slots and nodes without an address', () => {
  const text = [
    'aa 10.0.0.1:7000@17000,one.example myself,master - 0 0 1 connected 0-5 7 [8->-bb]',
    'bb 10.0.0.2:7001@17001 slave aa 0 0 1 connected',
    'cc 10.0.0.3:7002@17002 master,fail - 0 0 2 disconnected 100-200',
    'dd :0@0 master,noaddr - 0 0 3 disconnected',
    'ee [not an address] master',
    '',
  ].join('\n');
  expect(places(readNodes(text, where))).toEqual([
    {
      at: '10.0.0.1:7000',
      role: 'master',
      slots: [
        [0, 5],
        [7, 7],
      ],
      masterAddress: null,
      healthy: true,
    },
    { at: '10.0.0.2:7001', role: 'replica', slots: [], masterAddress: '10.0.0.1:7000', healthy: true },
    { at: '10.0.0.3:7002', role: 'master', slots: [[100, 200]], masterAddress: null, healthy: false },
  ]);
});

it('an address announced twice is one node with all its slots', () => {
  const node: AnnouncedNode = { host: 'h', port: 1, role: 'replica', masterAddress: 'x:1', slots: [], healthy: true };
  const merged = mergeByAddress([
    node,
    { ...node, role: 'master', masterAddress: null, slots: [[0, 1]] },
    { ...node, slots: [[2, 3]] },
  ]);
  expect(places(merged)).toEqual([
    {
      at: 'h:1',
      role: 'master',
      slots: [[0, 3]],
      masterAddress: null,
      healthy: true,
    },
  ]);
  expect(node.slots).toEqual([]);
});

it('no reply, however strange, breaks the readers or yields an impossible node', () => {
  const scalar = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.constantFrom('slots', 'nodes', 'port', 'ip', 'endpoint', 'role', 'master', '__proto__', 'constructor'),
  );
  const { reply } = fc.letrec<{ reply: ClusterReply }>((tie) => ({
    reply: fc.oneof({ maxDepth: 5 }, scalar, fc.array(tie('reply'), { maxLength: 6 })),
  }));
  fc.assert(
    fc.property(reply, fc.string(), (any, text) => {
      for (const node of [
        ...readShards(any, where),
        ...readSlots(any, where),
        ...readNodes(text, where),
        ...readNodes(String(any), where),
      ]) {
        expect(node.port > 0 && node.port < 65_536).toBe(true);
        expect(node.slots.every(([from, to]) => from >= 0 && from <= to && to <= 16_383)).toBe(true);
        expect(typeof node.host).toBe('string');
      }
    }),
    { numRuns: 2000 },
  );
});

it('addresses are written and read with IPv6 in brackets', () => {
  expect(formatAddress('::1', 6379)).toBe('[::1]:6379');
  expect(parseAddress('[::1]:6379')).toEqual({ host: '::1', port: 6379 });
  expect(parseAddress('host:6379')).toEqual({ host: 'host', port: 6379 });
  for (const wrong of ['', 'host', ':1', 'host:', 'host:0', 'host:65536', 'host:6379x', '[]:1'])
    expect(parseAddress(wrong)).toBeNull();
});
