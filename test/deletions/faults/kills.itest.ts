import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { leftovers } from '../../../lib/deletions/leftovers';
import { LOCAL_ADMIN } from '../../../lib/model/actor';
import { getStoredJob } from '../../../lib/store/jobs';
import { sleep } from '../../servers/process';
import { type RedisServer, startRedis } from '../../servers/redis';
import { temporaryData } from '../../temporary-data';
import { openStand, type Stand } from '../stand';
import { KINDS, type Kind } from './kinds';

/**
 * Ends our process and the server at random moments, again and again, over one deletion of every kind of key, there and
 * back, until so many have ended in the middle of work. LONG=1: a hundred of ours and twenty of the server's.
 */
const [OURS, THEIRS] = process.env.LONG === '1' ? [100, 20] : [3, 1];

const after: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const act of after.splice(0).reverse()) await act();
});

it(`${OURS} kills of ours and ${THEIRS} of the server: every key goes and every key comes back`, async () => {
  const data = temporaryData();
  after.push(() => data.remove());
  const redis = await startRedis({
    args: ['--enable-debug-command', 'yes', '--appendonly', 'yes', '--appendfsync', 'always'],
  });
  after.push(() => redis.stop());
  const client = redis.client({ maxRetriesPerRequest: null });
  const stand = await openStand(redis, {}, false);
  after.push(() => stand.close());
  const kinds = Object.entries(KINDS);
  const expireAt = Date.now() + 7_200_000;
  for (const [name, kind] of kinds) {
    await kind.seed(client, `app:${name}`);
    await client.pexpireat(`app:${name}`, expireAt);
  }
  await client.hset('app:neighbour', 'a', 1, 'b', 2);
  const before = await client.call('DEBUG', 'DIGEST');
  const neighbour = await client.call('DEBUG', 'DIGEST-VALUE', 'app:neighbour');
  const killed = { ours: 0, theirs: 0 };
  while (killed.ours < OURS || killed.theirs < THEIRS) {
    const id = await stand.plan(
      kinds.map(([name, { type, length, bytes }]: [string, Kind]) => ({ name: `app:${name}`, type, length, bytes })),
      { speed: 'gentle' },
    );
    await throughKills(await stand.start(id), { data: data.dir, redis, stand, killed });
    expect((await stand.items(id)).map(({ state }) => state)).toEqual(kinds.map(() => 'done'));
    expect(await client.keys('*')).toEqual(['app:neighbour']);
    await throughKills(await stand.start(id, 'undo'), { data: data.dir, redis, stand, killed });
    const items = await stand.items(id);
    expect(items.map(({ state, reason }) => [state, reason])).toEqual(kinds.map(() => ['undone', null]));
    // Of the whole server: names and values.
    expect(await client.call('DEBUG', 'DIGEST')).toBe(before);
    for (const [name] of kinds) expect(await client.pexpiretime(`app:${name}`)).toBe(expireAt);
    expect(await client.call('DEBUG', 'DIGEST-VALUE', 'app:neighbour')).toEqual(neighbour);
    expect(await leftovers(LOCAL_ADMIN, stand.instanceId)).toEqual([]);
  }
}, 1_500_000);

interface Arena {
  data: string;
  redis: RedisServer;
  stand: Stand;
  killed: { ours: number; theirs: number };
}

async function throughKills(job: string, { data, redis, killed }: Arena): Promise<void> {
  const stateOf = async () => (await getStoredJob(job))?.job.state ?? '';
  for (;;) {
    const child = await worker(data);
    const enough = killed.ours >= OURS && killed.theirs >= THEIRS;
    const end = Date.now() + (enough ? 120_000 : 50 + Math.random() * 700);
    for (let over = false; !over; over = Date.now() > end) {
      const state = await stateOf();
      if (state === 'succeeded') {
        child.kill('SIGKILL');
        return;
      }
      expect(['failed', 'cancelled', 'paused']).not.toContain(state);
      await sleep(5);
    }
    expect(enough).toBe(false);
    if (killed.theirs < THEIRS && killed.theirs * OURS <= killed.ours * THEIRS && (await stateOf()) === 'running') {
      killed.theirs++;
      await redis.kill('SIGKILL');
      await redis.restart();
      await sleep(Math.random() * 500);
    }
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    killed.ours++;
  }
}

async function worker(data: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/deletions/deletion-worker.ts'], {
    env: { ...process.env, COLONNADE_DATA: data, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  after.push(() => child.kill('SIGKILL'));
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}
