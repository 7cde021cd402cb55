import { expect, it, onTestFinished } from 'vitest';
import { generateArchiveName } from '../../lib/access/vault/archive-folder';
import { getJournal } from '../../lib/deletions/journal/write-journal';
import { cancelJob } from '../../lib/jobs/cancel-job';
import { pauseJob } from '../../lib/jobs/pause-job';
import { resumeJob } from '../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { updateItem } from '../../lib/store/deletions/deletion-items';
import { untilHeard } from './faults/finish-job';
import { type Fixture, kindsMet, openFixture } from './faults/fixture';
import { COLLECTIONS, type KindName } from './faults/kinds';

const SOME: KindName[] = ['hash', 'stream'];

async function pauseAndHear(job: string): Promise<void> {
  await pauseJob(LOCAL_ADMIN, job);
  await untilHeard(job);
}

/** Each run of a job writes separate files; together they are the archive of a key. */
async function pausedMidway(kind: KindName): Promise<{ fixture: Fixture; id: string; job: string }> {
  const fixture = await openFixture([kind], { longer: true });
  onTestFinished(() => fixture.close());
  const id = await fixture.plan();
  const { held, started: job } = await fixture.holdMidway(id, () => fixture.stand.start(id));
  await pauseAndHear(job);
  held.release();
  await fixture.stand.until(job, ['paused']);
  return { fixture, id, job };
}

/** Simulates a process that is killed after it has named a file and before it has created it. */
async function nameAnother({ item }: Fixture, id: string): Promise<string> {
  const found = await item(id);
  const journal = getJournal(found);
  const file = generateArchiveName(id, 0);
  const archives = [...(journal.archives ?? []), file];
  await updateItem(id, 0, { journal: { ...journal, archives, earlierBytes: found.archiveBytes } });
  return file;
}

it.each(kindsMet(SOME, COLLECTIONS))(
  '%s: every run goes on in a file of its own, and all of them bring it back',
  async (kind) => {
    const { fixture, id, job } = await pausedMidway(kind);
    const first = getJournal(await fixture.item(id)).archives ?? [];
    expect(first).toHaveLength(1);
    const again = await fixture.holdMidway(id, async () => {
      await resumeJob(LOCAL_ADMIN, job);
      return job;
    });
    await pauseAndHear(job);
    again.held.release();
    await fixture.stand.until(job, ['paused']);
    await resumeJob(LOCAL_ADMIN, job);
    await fixture.finish(job);
    await fixture.expectGone(id);
    const { archives = [] } = getJournal(await fixture.item(id));
    expect(archives).toHaveLength(3);
    expect(archives[0]).toBe(first[0]);
    await fixture.undo(id);
    await fixture.expectBack(id);
  },
);

it('a file that was named and never made is missed by nobody: the next run goes on', async () => {
  const { fixture, id, job } = await pausedMidway('hash');
  const never = await nameAnother(fixture, id);
  await resumeJob(LOCAL_ADMIN, job);
  await fixture.finish(job);
  await fixture.expectGone(id);
  expect(getJournal(await fixture.item(id)).archives).not.toContain(never);
  await fixture.undo(id);
  await fixture.expectBack(id);
});

it('nor by an undo', async () => {
  const { fixture, id, job } = await pausedMidway('list');
  await nameAnother(fixture, id);
  await cancelJob(LOCAL_ADMIN, job);
  await fixture.undo(id);
  await fixture.expectBack(id);
});
