import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { patientLatency, shippedLatency } from '../../servers/latency';
import { sleep } from '../../servers/process';
import { computeDigest } from '../digest';
import { forKinds } from './fixture';

/** The server is available but should not get more load: it is suspended, or it is saving to disk. */
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

/**
 * Ends the process that saves, which keeps the delay that it started with. With this signal it ends as if the save had
 * succeeded.
 */
function endSave(server: number): void {
  const listed = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  for (const line of listed.split('\n')) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    if (pid && parent === server) process.kill(pid, 'SIGUSR1');
  }
}

describe('while a save runs no key is touched', () => {
  forKinds(['hash', 'batched'], async (fixture) => {
    const { client, key, stand } = fixture;
    // With six keys the save lasts as long as the test needs, so that the job begins and looks at its key meanwhile.
    await client.config('SET', 'rdb-key-save-delay', '30000000');
    const id = await fixture.plan();
    await client.bgsave();
    const job = await stand.start(id);
    expect((await stand.until(job, ['waiting']))?.job.reason?.code).toBe('saving');
    expect(await computeDigest(client, key.name)).toBe(key.digest);
    expect(await client.info('persistence')).toContain('rdb_bgsave_in_progress:1');
    await client.config('SET', 'rdb-key-save-delay', '0');
    endSave(fixture.redis.pid);
    await fixture.thereAndBack(id, job);
  });
});
