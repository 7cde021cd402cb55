import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resumeJob } from '../../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../../lib/model/actor';
import { sleep, until } from '../../servers/process';
import { type RedisServer, startRedis } from '../../servers/redis';
import { startReplica } from '../../servers/replica';
import { startSentinel } from '../../servers/sentinel';
import { temporaryData } from '../../temporary-data';
import { type LargeType, seedLarge } from '../seed-large';
import { openStand, type Stand } from '../stand';

/** The key moves to another server while it is being removed: by a failover, and by a resharding. LONG=1: every type. */
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

describe('a failover that Sentinel makes in the middle', () => {
  it.each(LONG ? TYPES : (['zset'] as const))(
    '%s: the work follows the new master',
    async (type) => {
      const master = await startRedis({ args: DEBUG });
      after.push(() => master.stop());
      const heir = await startReplica(master, { args: DEBUG });
      after.push(() => heir.stop());
      const sentinel = await startSentinel(master, { name: 'main', replicas: 1 });
      after.push(() => sentinel.stop());
      const client = master.client();
      await seedLarge(client, type, 'app:big', N[type]);
      await client.set('app:neighbour', 'stays');
      const before = await digestOf(master, 'app:big');
      const stand = await openStand(sentinel, { topology: 'sentinel', sentinelName: 'main' });
      after.push(() => stand.close());
      const id = await stand.plan([{ name: 'app:big', type, length: N[type], bytes: 5_000_000 }], { speed: 'gentle' });
      const job = await stand.start(id);
      await inTheMiddle(stand, id);
      await sentinel.client().call('SENTINEL', 'FAILOVER', 'main');
      await until('the replica to be master', async () =>
        String(await heir.client().call('ROLE')).startsWith('master'),
      );
      await through(stand, job);
      expect((await stand.items(id))[0]).toMatchObject({ state: 'done' });
      expect(await heir.client().keys('*')).toEqual(['app:neighbour']);
      await through(stand, await stand.start(id, 'undo'));
      expect((await stand.items(id))[0]).toMatchObject({ state: 'undone', reason: null });
      expect(await digestOf(heir, 'app:big')).toBe(before);
      expect((await heir.client().keys('*')).sort()).toEqual(['app:big', 'app:neighbour']);
    },
    120_000,
  );
});
