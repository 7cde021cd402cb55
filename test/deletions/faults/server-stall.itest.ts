import { execFileSync } from 'node:child_process';
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

/** The process that saves keeps the pace that it began with; asked by this signal, it ends as if all were well. */
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
    // Six keys: as long as the test wants, within which the job has begun and its key was looked at.
    await client.config('SET', 'rdb-key-save-delay', '30000000');
    const id = await fixture.plan();
    await client.bgsave();
    const job = await stand.start(id);
    expect((await stand.until(job, ['waiting']))?.job.reason?.code).toBe('saving');
    expect(await digestOf(client, key.name)).toBe(key.digest);
    expect(await client.info('persistence')).toContain('rdb_bgsave_in_progress:1');
    await client.config('SET', 'rdb-key-save-delay', '0');
    endSave(fixture.redis.pid);
    await fixture.thereAndBack(id, job);
  });
});
