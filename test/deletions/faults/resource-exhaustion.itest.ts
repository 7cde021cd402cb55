import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { resumeJob } from '../../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../../lib/model/actor';
import { computeDigest } from '../digest';
import { findLeftovers } from '../find-leftovers';
import { type Fixture, forKinds } from './fixture';

/** The server has no memory, or the disk has no space for an archive. */
describe('a server without memory: removing goes on, bringing back waits for a person', () => {
  const withoutMemory = (fixture: Fixture) => fixture.client.config('SET', 'maxmemory', '1');
  async function thereAndBackOnceThereIsRoom(fixture: Fixture, id: string, job: string): Promise<void> {
    await fixture.finish(job);
    await fixture.expectGone(id);
    const undo = await fixture.stand.start(id, 'undo');
    expect((await fixture.stand.until(undo, ['paused']))?.job.reason?.code).toBe('no_memory');
    await fixture.client.config('SET', 'maxmemory', '0');
    await resumeJob(LOCAL_ADMIN, undo);
    await fixture.finish(undo);
    await fixture.expectBack(id);
  }

  describe('from the beginning', () => {
    forKinds(['hash'], async (fixture) => {
      await withoutMemory(fixture);
      const id = await fixture.plan();
      await thereAndBackOnceThereIsRoom(fixture, id, await fixture.stand.start(id));
    });
  });

  describe('from the rename on', () => {
    forKinds(['list', 'stream'], async (fixture) => {
      const id = await fixture.plan();
      const { held, started: job } = await fixture.strike({ word: 'EVAL', act: 'hold' }, () => fixture.stand.start(id));
      await withoutMemory(fixture);
      held.release();
      await thereAndBackOnceThereIsRoom(fixture, id, job);
    });
  });
});

describe('our disk takes no archive: nothing is removed without its copy', () => {
  forKinds(['zset'], async (fixture) => {
    const { client, key, stand } = fixture;
    const archives = join(fixture.folder, 'archives');
    writeFileSync(archives, 'in the way');
    const id = await fixture.plan();
    const job = await stand.start(id);
    expect((await stand.until(job, ['paused']))?.job.reason?.code).toBe('data_folder');
    expect(await fixture.item(id)).toMatchObject({ state: 'tombstoned', removed: 0 });
    const [ours] = await findLeftovers(stand.instanceId);
    expect(ours).toMatchObject({ owned: true, original: key.name });
    const [name = ''] = await client.keys('colonnade:trash:*');
    expect(await computeDigest(client, name)).toBe(key.bare);
    rmSync(archives);
    mkdirSync(archives);
    await resumeJob(LOCAL_ADMIN, job);
    await fixture.thereAndBack(id, job);
  });
});
