import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AddressMap } from '@/lib/model/servers/address-map';
import { parseAddressMap } from '@/lib/model/servers/address-map-text';
import { proposeAddressMap } from '@/lib/redis/server/propose-address-map';
import { type ForwardedCluster, startForwardedCluster } from '@/test/servers/forwarded-cluster';
import type { RedisServer } from '@/test/servers/redis';
import { toTarget } from '@/test/servers/target';
import { openSession } from './connect';
import { createDestinationPolicy } from './destinations/destination-policy';
import { openNodeChannel } from './open-node-channel';

/** A cluster behind forwarded ports: what it announces leads nowhere, and a person says which address to use instead. */

const policy = createDestinationPolicy({ allow: '', registered: [] });
let cluster: ForwardedCluster;
let seed: RedisServer;
beforeAll(async () => {
  cluster = await startForwardedCluster();
  seed = cluster.masters[0]!;
});
afterAll(() => cluster.stop());

const open = (addressMap: AddressMap, more: Parameters<typeof toTarget>[1] = {}) =>
  openSession(toTarget(seed, { topology: 'cluster', addressMap, ...more }), policy);
const listLines = (map: AddressMap) =>
  map.map(({ announced, use }) => `127.0.0.1:${announced.port} = 127.0.0.1:${use.port}`);

it('no announced address answers', async () => {
  await expect(open([])).rejects.toMatchObject({ code: 'redis_unreachable' });
});

it('with the map every node is reached, by clients and by channels', async () => {
  const session = await open(cluster.map);
  try {
    expect(session.problems.size).toBe(0);
    expect(session.nodes.map(({ address, healthy, slots }) => [address, healthy, slots])).toEqual(
      cluster.masters.map(({ address }, index) => [address, true, [cluster.ranges[index]]]),
    );
    for (const [index, { address, runId }] of session.nodes.entries()) {
      const info = await cluster.masters[index]!.client().info('server');
      expect(info).toContain(`run_id:${runId}`);
      const channel = await openNodeChannel(session, address);
      expect(await channel.call(['PING'])).toEqual(Buffer.from('PONG'));
      channel.close();
    }
  } finally {
    await session.close();
  }
});

it('an entry that leads to another node is found, and that node is not used', async () => {
  const [first, second, third] = cluster.map as [AddressMap[0], AddressMap[0], AddressMap[0]];
  const swapped = [first, { ...second, use: third.use }, { ...third, use: second.use }];
  const session = await open(swapped);
  try {
    expect(session.nodes.map(({ healthy }) => healthy)).toEqual([true, false, false]);
    expect([...session.problems.values()].map(({ code }) => code)).toEqual(['wrong_node', 'wrong_node']);
  } finally {
    await session.close();
  }
});

it('two nodes at one address are refused, because one would be read twice and the other never', async () => {
  const [first, second] = cluster.map as [AddressMap[0], AddressMap[0]];
  await expect(open([first, { ...second, use: first.use }])).rejects.toMatchObject({ code: 'wrong_node' });
});

it('with only the registered addresses, no other node is connected to', async () => {
  const other = cluster.masters[1]!.client();
  const count = async () => /total_connections_received:(\d+)/.exec(await other.info('stats'))![1];
  const before = await count();
  const session = await open(cluster.map, { onlyEndpoints: true });
  try {
    expect(session.nodes.map(({ healthy }) => healthy)).toEqual([true, false, false]);
    expect([...session.problems.values()].map(({ code }) => code)).toEqual(['node_not_used', 'node_not_used']);
    expect(await count()).toBe(before);
  } finally {
    await session.close();
  }
});

it('the map is proposed: what is known of the entered addresses, and nothing where they are announced', async () => {
  const all = toTarget(cluster.masters, { topology: 'cluster' });
  expect((await proposeAddressMap(all, policy)).toSorted()).toEqual(listLines(cluster.map).toSorted());
  const one = toTarget(seed, { topology: 'cluster' });
  expect(await proposeAddressMap(one, policy)).toEqual(listLines(cluster.map.slice(0, 1)));
  expect(await proposeAddressMap({ ...all, addressMap: cluster.map }, policy)).toEqual([]);
});

it('for a node at no entered address, the host of another one is proposed, and connecting checks it', async () => {
  const named = await startForwardedCluster({ names: true });
  try {
    const [first] = named.masters as [RedisServer];
    const target = toTarget(first, { topology: 'cluster' });
    const lines = named.masters.map(({ port }, index) => `node-${index}.invalid:${port} = 127.0.0.1:${port}`);
    expect((await proposeAddressMap(target, policy)).toSorted()).toEqual(lines);
    const session = await openSession({ ...target, addressMap: parseAddressMap(lines.join('\n')) }, policy);
    expect([session.nodes.length, session.problems.size]).toEqual([3, 0]);
    await session.close();
  } finally {
    await named.stop();
  }
});
