import { afterAll, beforeAll, describe, expect } from 'vitest';
import { patientLatency, shippedLatency } from '../../servers/latency';
import { sleep } from '../../servers/process';
import { digestOf } from '../digest';
import { forKinds } from './fixture';

/** The server is there and should not be burdened: it stands still, or it writes itself to the disk. */
describe('a server that stands still for two seconds is waited for, or a person is asked; then it goes on', () => {
  beforeAll(() => shippedLatency());
  afterAll(patientLatency);
  forKinds(
    ['zset'],
    async (fixture) => {
      const id = await fixture.plan();
      const { held, started: job } = await fixture.holdMidway(id, () => fixture.stand.start(id));
      await fixture.redis.kill('SIGSTOP');
      held.release();
      await sleep(2000);
      await fixture.redis.kill('SIGCONT');
      await fixture.thereAndBack(id, job, 'critical_latency');
    },
    { longer: true },
  );
});

describe('while a save runs no key is touched', () => {
  forKinds(['hash', 'batched'], async (fixture) => {
    const { client, key, stand } = fixture;
    // Six keys: some nine seconds, within which the job has begun and its key was looked at.
    await client.config('SET', 'rdb-key-save-delay', '1500000');
    const id = await fixture.plan();
    await client.bgsave();
    const job = await stand.start(id);
    expect((await stand.until(job, ['waiting']))?.job.reason?.code).toBe('saving');
    expect(await digestOf(client, key.name)).toBe(key.digest);
    expect(await client.info('persistence')).toContain('rdb_bgsave_in_progress:1');
    await client.config('SET', 'rdb-key-save-delay', '0');
    await fixture.thereAndBack(id, job);
  });
});
