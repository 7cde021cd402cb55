import { expect, it, onTestFinished } from 'vitest';
import { resumeJob } from '../../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../../lib/model/actor';
import { getStoredJob } from '../../../lib/store/jobs';
import { sleep } from '../../servers/process';
import { digestOfAll } from '../digest';
import { hurryJob } from './finish-job';
import { APPEND_ONLY, type Fixture, openFixture } from './fixture';
import { KIND_NAMES } from './kinds';
import { killWorker, startWorker } from './worker-process';

/**
 * Kills the process and the server at random moments, again and again, during one deletion of every kind of key and its
 * undo, until the given numbers of kills have interrupted work. Chosen moments test only what somebody thought of.
 */
const [INTERNAL, THEIRS] = [240, 24];

it(`${INTERNAL} kills of ours and ${THEIRS} of the server: every key goes and every key comes back`, async () => {
  const fixture = await openFixture(KIND_NAMES, { args: APPEND_ONLY, longer: true, direct: true, ownRunner: true });
  onTestFinished(() => fixture.close());
  const { client, stand } = fixture;
  const before = await digestOfAll(client);
  const killed = { ours: 0, theirs: 0 };
  while (killed.ours < INTERNAL || killed.theirs < THEIRS) {
    const id = await fixture.plan({ speed: 'gentle' });
    await throughKills(fixture, await stand.start(id), killed);
    await fixture.expectGone(id);
    await throughKills(fixture, await stand.start(id, 'undo'), killed);
    await fixture.expectBack(id);
    // The digest covers all names and values of the server.
    expect(await digestOfAll(client)).toBe(before);
  }
}, 1_500_000);

async function throughKills(
  { folder, redis }: Fixture,
  job: string,
  killed: { ours: number; theirs: number },
): Promise<void> {
  const readState = async () => (await getStoredJob(job))?.job.state ?? '';
  for (;;) {
    const worker = await startWorker(folder);
    const enough = killed.ours >= INTERNAL && killed.theirs >= THEIRS;
    if (enough) await hurryJob(job);
    const end = Date.now() + (enough ? 120_000 : 50 + Math.random() * 700);
    for (let over = false; !over; over = Date.now() > end) {
      const state = await readState();
      if (state === 'succeeded') return killWorker(worker);
      // A job that was killed too often before it made progress asks for a confirmation; nothing else may stop it.
      if (state === 'paused' && (await getStoredJob(job))?.job.reason?.code === 'interrupted_often') {
        await resumeJob(LOCAL_ADMIN, job);
        continue;
      }
      expect(['failed', 'cancelled', 'paused']).not.toContain(state);
      await sleep(5);
    }
    expect(enough).toBe(false);
    if (
      killed.theirs < THEIRS &&
      killed.theirs * INTERNAL <= killed.ours * THEIRS &&
      (await readState()) === 'running'
    ) {
      killed.theirs++;
      await redis.kill('SIGKILL');
      await redis.restart();
      await sleep(Math.random() * 500);
    }
    await killWorker(worker);
    killed.ours++;
  }
}
