import { connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { DeletionHooks } from '../../lib/deletions/executor/deletion-hooks';
import { NodeExecutor } from '../../lib/deletions/executor/node-executor';
import type { NodeFacts } from '../../lib/model/servers/server-facts';
import { openSession } from '../../lib/redis/connection/connect';
import { createDestinationPolicy } from '../../lib/redis/connection/destinations/destination-policy';
import { scanWhole } from '../scans/scan';
import { patientLatency, shippedLatency } from '../servers/latency';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour } from '../servers/seed';
import { toTarget } from '../servers/target';

/** A distant server: its replies take longer than the critical latency of a near one. */

const EACH_WAY_MS = 200;
const KEYS = 400;
let server: RedisServer;
const stops: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  server = await startRedis();
  stops.push(server.stop);
  await pour(
    server.client(),
    Array.from({ length: KEYS }, (_, i) => ['SET', `key:${i}`, 'x']),
  );
});
afterEach(patientLatency);
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** Delays everything that passes, and keeps the order. */
async function startDistance(): Promise<RedisServer> {
  const carry = (from: Socket, to: Socket) => {
    from.on('data', (piece) => setTimeout(() => to.writable && to.write(piece), EACH_WAY_MS));
    from.on('close', () => setTimeout(() => to.destroy(), EACH_WAY_MS));
    from.on('error', () => undefined);
  };
  const proxy = createServer((client) => {
    const behind = connect(server.port, server.host);
    carry(client, behind);
    carry(behind, client);
  });
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
  stops.unshift(async () => proxy.close());
  return { host: '127.0.0.1', port: (proxy.address() as { port: number }).port } as RedisServer;
}

it('is read at the gentle speed, and its distance counts neither as load nor as danger', async () => {
  // The critical limit is 375 ms: less than the round trip.
  shippedLatency(1.5);
  const reasons = new Set<string>();
  const { rows, manifest } = await scanWhole([await startDistance()], {
    options: { speed: 'gentle' },
    onReport: ({ reason }) => reason && reasons.add(reason.code),
  });
  expect(rows).toHaveLength(KEYS);
  expect([...reasons]).toEqual([]);
  expect(manifest.cost.worstLatencyMs).toBeGreaterThan(375);
});

it('a batch of writes rests for what the server did, not for the way of each command', async () => {
  const session = await openSession(
    toTarget(await startDistance()),
    createDestinationPolicy({ allow: '', registered: [] }),
  );
  onTestFinished(() => session.close());
  const hooks = {
    signal: new AbortController().signal,
    whenStopRequested: new Promise<void>(() => {}),
    regainPlace: () => null,
  };
  const executor = new NodeExecutor(session, session.nodes[0] as NodeFacts, {
    ...(hooks as DeletionHooks),
    getSpeed: () => 'gentle',
    findRefusal: () => null,
  });
  onTestFinished(() => executor.close());
  const channel = await executor.openUnpaced(0);
  await executor.rest();
  const began = performance.now();
  const COMMANDS = 5;
  for (let i = 0; i < COMMANDS; i++) await channel.call(['EXISTS', `key:${i}`]);
  const tookMs = performance.now() - began;
  const { busyMs } = executor.throttle.stats;
  await executor.rest();
  // At least one direction of the network delay is deducted for each command, however late the first PING was read.
  expect(executor.throttle.stats.busyMs - busyMs).toBeLessThan(tookMs - COMMANDS * EACH_WAY_MS);
});
