import { afterAll, expect, it } from 'vitest';
import { until } from '@/test/servers/process';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { toTarget } from '@/test/servers/target';
import { type Certificates, makeCertificates } from '@/test/servers/tls';
import { openSession } from './connect';
import { createDestinationPolicy } from './destinations/destination-policy';

/** Tests what the nodes of a cluster announce about their location: endpoints, addresses and names of certificates. */

const policy = createDestinationPolicy({ allow: '', registered: [] });
const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

async function startNode(args: string[], tls?: Certificates): Promise<RedisServer> {
  const server = await startRedis({
    args: ['--cluster-enabled', 'yes', ...args],
    ...(tls && { tls: { certificates: tls } }),
  });
  stops.unshift(server.stop);
  return server;
}

const isWhole = (server: RedisServer) =>
  until('the cluster to be whole', async () =>
    String(await server.client().call('CLUSTER', 'INFO')).includes('cluster_state:ok'),
  );

it('a node without a preferred endpoint is where it was asked, whatever address it announces', async () => {
  const args = ['--cluster-announce-ip', '127.0.0.9', '--cluster-preferred-endpoint-type', 'unknown-endpoint'];
  const server = await startNode(args);
  await server.client().call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await isWhole(server);
  const session = await openSession(toTarget(server, { topology: 'cluster' }), policy);
  stops.unshift(() => session.close());
  expect(session.nodes.map(({ address, healthy }) => ({ address, healthy }))).toEqual([
    { address: server.address, healthy: true },
  ]);
});

it('a certificate may be for the name that a node announces beside its address, and for no other', async () => {
  const names = ['localhost', 'second.example', 'third.example'];
  const first = await makeCertificates({ names: ['localhost'], addresses: [] });
  const others = ['second.example', 'another.example'].map((name) =>
    makeCertificates({ names: [name], addresses: [], like: first }),
  );
  const servers: RedisServer[] = [];
  for (const [i, certificates] of [first, ...(await Promise.all(others))].entries())
    servers.push(
      await startNode(['--tls-cluster', 'yes', '--cluster-announce-hostname', names[i] as string], certificates),
    );
  const clients = servers.map((server) => server.client({ tls: { rejectUnauthorized: false } }));
  // A node accepts an epoch only before it has met another node.
  for (const [i, client] of clients.entries()) {
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(i + 1));
    await client.call('CLUSTER', 'ADDSLOTSRANGE', String(i * 5000), String(i === 2 ? 16_383 : i * 5000 + 4999));
  }
  for (const client of clients) {
    for (const { host, port } of servers) await client.call('CLUSTER', 'MEET', host, String(port));
  }
  const [seed] = servers as [RedisServer];
  const asking = seed.client({ tls: { rejectUnauthorized: false } });
  await until('every node to know the names of the others', async () => {
    const shards = JSON.stringify(await asking.call('CLUSTER', 'SHARDS'));
    return names.every((name) => shards.includes(name)) && !shards.includes('"fail"');
  });
  const target = toTarget({ ...seed, host: 'localhost' }, { topology: 'cluster' });
  const session = await openSession(target, policy);
  stops.unshift(() => session.close());
  const healthy = new Map(session.nodes.map((node) => [node.address, node.healthy]));
  expect(servers.map(({ address }) => healthy.get(address))).toEqual([true, true, false]);
  expect(session.problems.get(servers[2]!.address)).toMatchObject({ code: 'redis_tls' });
  (await session.openSocket(servers[1]!.address)).destroy();
});
