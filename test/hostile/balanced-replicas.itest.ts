import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Progress } from '@/lib/model/job';
import { freshFolder, identities, scanOnce, scanWhole } from '../scans/scan';
import { type RedisServer, startRedis } from '../servers/redis';
import { startReplica } from '../servers/replica';
import { mixedKey, seedMixed } from '../servers/seed';

/** A reader endpoint has one address, and each connection leads to one of several replicas. */

const KEYS = 6000;
let master: RedisServer;
let replicas: RedisServer[];
const stops: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  master = await startRedis();
  stops.unshift(master.stop);
  await seedMixed(master.client(), KEYS);
  replicas = [await startReplica(master), await startReplica(master)];
  for (const replica of replicas) stops.unshift(replica.stop);
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** `turns`: the index of the replica for each further connection; the last one is used for all later ones. */
async function startBalancer() {
  let turns = [0];
  const server = createServer((client) => {
    const turn = (turns.length > 1 ? turns.shift() : turns[0]) as number;
    const behind = connect(replicas[turn]!.port, '127.0.0.1');
    client.pipe(behind).pipe(client);
    for (const socket of [client, behind]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        behind.destroy();
      });
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  stops.unshift(async () => server.close());
  const { port } = server.address() as { port: number };
  return {
    address: { host: '127.0.0.1', port } as RedisServer,
    lead(next: number[]) {
      turns = next;
    },
  };
}

const all = Array.from({ length: KEYS }, (_, i) => `0/${Buffer.from(mixedKey(i).key).toString('hex')}`).sort();

it.each([
  { next: 'the same replicas', turns: [0, 1], restarts: 0 },
  { next: 'another replica for the pages alone', turns: [0, 0], restarts: 1 },
  { next: 'another replica for the questions alone', turns: [1, 1], restarts: 1 },
  { next: 'the replicas the other way round', turns: [1, 0], restarts: 1 },
])('a scan that is paused and resumed behind a balancer reads every key once: $next', async ({ turns, restarts }) => {
  const balancer = await startBalancer();
  const dir = freshFolder();
  let read = 0;
  balancer.lead([0, 1]);
  const first = await scanOnce([balancer.address], {
    dir,
    options: { speed: 'gentle' },
    onReport: ({ progress }: { progress?: Progress }) => {
      read = progress?.done ?? read;
    },
    shouldStop: () => read >= 1000,
  });
  expect(first).toBeNull();
  const { state } = JSON.parse(readFileSync(join(dir, 'checkpoint.json'), 'utf8'));
  expect(state.partitions[0].cursor).not.toBe('0');
  balancer.lead(turns);
  const { rows, manifest } = await scanWhole([balancer.address], { dir, options: { speed: 'gentle' } });
  expect(identities(rows)).toEqual(all);
  expect(manifest.coverage.restarts).toBe(restarts);
});
