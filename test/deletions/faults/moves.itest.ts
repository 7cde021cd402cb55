import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resumeJob } from '../../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../../lib/model/actor';
import { slotOf } from '../../../lib/redis/slot';
import { startCluster } from '../../servers/cluster';
import { sleep, until } from '../../servers/process';
import type { RedisServer } from '../../servers/redis';
import { temporaryData } from '../../temporary-data';
import { type LargeType, seedLarge } from '../seed-large';
import { openStand, type Stand } from '../stand';

/** The key moves to another server while it is being removed: a resharding, there and on the way back. LONG=1: every type. */
const LONG = process.env.LONG === '1';
const N: Record<Exclude<LargeType, 'string'>, number> = {
  hash: 80_000,
  set: 120_000,
  zset: 120_000,
  list: 400_000,
  stream: 30_000,
};
const TYPES = Object.keys(N) as (keyof typeof N)[];
const DEBUG = ['--enable-debug-command', 'yes'];

let data: ReturnType<typeof temporaryData>;
const after: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  data = temporaryData();
});
afterEach(async () => {
  for (const act of after.splice(0).reverse()) await act();
  await data.remove();
});

const digestOf = async (server: RedisServer, name: string) =>
  ((await server.client().call('DEBUG', 'DIGEST-VALUE', name)) as string[])[0];

/** Its first elements are gone and its last are not. */
async function inTheMiddle(stand: Stand, id: string): Promise<void> {
  for (;;) {
    const [item] = await stand.items(id);
    if (item && item.removed > 0) return expect(item.state).toBe('draining');
    await sleep(3);
  }
}

async function through(stand: Stand, job: string): Promise<void> {
  for (let asked = 0; asked < 5; asked++) {
    const stored = await stand.until(job, ['succeeded', 'paused'], 60_000);
    if (stored?.job.state === 'succeeded') return;
    await resumeJob(LOCAL_ADMIN, job);
  }
  throw new Error('A person was asked again and again.');
}

describe('a slot that moves in the middle', () => {
  it('and moves again on the way back: the work follows the key', async () => {
    const cluster = await startCluster({ wishes: { args: DEBUG } });
    after.push(() => cluster.stop());
    const stand = await openStand(cluster.masters, { topology: 'cluster' });
    after.push(() => stand.close());
    for (const type of LONG ? TYPES : (['list'] as const)) {
      const name = `app:${type}`;
      const slot = slotOf(Buffer.from(name));
      const at = cluster.ranges.findIndex(([from, to]) => slot >= from && slot <= to);
      const [home, other] = [cluster.masters[at], cluster.masters[(at + 1) % 3]] as [RedisServer, RedisServer];
      await seedLarge(home.client(), type, name, N[type]);
      const before = await digestOf(home, name);
      const id = await stand.plan([{ name, type, length: N[type], bytes: 5_000_000 }], { speed: 'gentle' });
      const job = await stand.start(id);
      await inTheMiddle(stand, id);
      await cluster.moveSlots(home, other, [slot]);
      await through(stand, job);
      expect((await stand.items(id))[0]).toMatchObject({ state: 'done' });
      for (const node of cluster.masters) expect(await node.client().dbsize()).toBe(0);
      const undo = await stand.start(id, 'undo');
      await until('something of it to be there', async () => (await other.client().dbsize()) > 0, 20_000, 2);
      await cluster.moveSlots(other, home, [slot]);
      await through(stand, undo);
      expect((await stand.items(id))[0]).toMatchObject({ state: 'undone', reason: null });
      expect(await digestOf(home, name)).toBe(before);
      for (const node of cluster.masters) expect(await node.client().keys('*')).toEqual(node === home ? [name] : []);
      await home.client().del(name);
    }
  }, 300_000);
});
