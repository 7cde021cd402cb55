import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { until } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { scanWhole } from './scan';

/** A cluster whose slots alternate between two masters: 8,192 ranges of one slot each, which every step must bear. */
const SLOTS = 16_384;
const KEYS = 4_000;
/**
 * The most work of one step, in ms. Reading the slots of the cluster and writing a manifest take about 40; a step that
 * compares each range with every other takes more than a hundred.
 */
const LONGEST_MS = 90;

const servers: RedisServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

async function startAlternating(): Promise<RedisServer[]> {
  for (const first of [0, 1]) {
    const server = await startRedis({ args: ['--cluster-enabled', 'yes'] });
    servers.push(server);
    const slots = Array.from({ length: SLOTS / 2 }, (_, i) => String(i * 2 + first));
    await server.client().call('CLUSTER', 'SET-CONFIG-EPOCH', String(first + 1));
    await server.client().call('CLUSTER', ['ADDSLOTS', ...slots]);
  }
  const [one, other] = servers as [RedisServer, RedisServer];
  await one.client().call('CLUSTER', 'MEET', other.host, String(other.port));
  for (const server of servers)
    await until('the cluster to be whole', async () =>
      String(await server.client().call('CLUSTER', 'INFO')).includes('cluster_state:ok'),
    );
  for (const server of servers)
    for (let i = 0; i < KEYS; i++)
      await server
        .client()
        .set(`key:${i}`, 'x')
        .catch(() => {});
  return [...servers];
}

/** Milliseconds that this thread has worked. Unlike the clock it stands still while other processes have the core. */
const readWorkMs = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;

/** Returns the longest work between two turns of the event loop until `act` resolves. */
async function measureLongestTurn(act: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let ended = false;
  let before = readWorkMs();
  const turn = () => {
    const now = readWorkMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
    if (!ended) setImmediate(turn);
  };
  setImmediate(turn);
  await act();
  ended = true;
  return longestMs;
}

it.runIf(existsSync('/proc/thread-self/schedstat'))('no step of a scan keeps the event loop for long', async () => {
  const nodes = await startAlternating();
  const scan = async () => {
    const { rows } = await scanWhole(nodes.slice(0, 1), { input: { topology: 'cluster' } });
    expect(rows).toHaveLength(KEYS);
  };
  // What is compiled or collected may fall into one turn, so the best of some scans counts.
  const turns: number[] = [];
  for (let i = 0; i < 4 && !turns.some((ms) => ms < LONGEST_MS); i++) turns.push(await measureLongestTurn(scan));
  expect(Math.min(...turns)).toBeLessThan(LONGEST_MS);
});
