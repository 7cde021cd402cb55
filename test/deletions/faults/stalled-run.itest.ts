import { describe } from 'vitest';
import { getStoredJob, updateJob } from '../../../lib/store/jobs';
import { sleep } from '../../servers/process';
import type { Held } from './fault-proxy';
import { type Fixture, forKinds } from './fixture';
import { COLLECTIONS, LARGE } from './kinds';
import { endWorker, sayTo } from './spawn-worker';
import { startWorker } from './worker-process';

/**
 * A run is suspended in the middle of a command for longer than its lease, and continues after another run has finished
 * the job. It has elements in memory and writes them to an archive, and only then notices that it no longer owns the
 * job.
 */
const GOES_ON_MS = 500;

async function overtaken(
  fixture: Fixture,
  strike: (id: string) => Promise<{ held: Held; started: string }>,
): Promise<void> {
  const id = await fixture.plan();
  const stalled = await startWorker(fixture.folder, 'stallable-worker');
  const { held, started: job } = await strike(id);
  await sayTo(stalled, 'stall');
  const stored = await getStoredJob(job);
  // The lease is expired, as if the run had been suspended for that long.
  await updateJob(job, { lease: { ...stored!.lease, until: 0 } });
  await startWorker(fixture.folder);
  await fixture.finish(job);
  held.release();
  await sleep(GOES_ON_MS);
  await sayTo(stalled, 'go on');
  await endWorker(stalled);
  await fixture.expectGone(id);
  await fixture.undo(id);
  await fixture.expectBack(id);
}

describe('with elements in hand that nobody has heard of', () => {
  forKinds(
    ['hash'],
    (fixture) =>
      overtaken(fixture, (id) =>
        fixture.strike({ word: fixture.key.kind.read, after: 3, act: 'hold' }, () => fixture.stand.start(id)),
      ),
    { ownRunner: true, longer: true, long: LARGE },
  );
});

describe('while it removes what it has copied', () => {
  forKinds(['list'], (fixture) => overtaken(fixture, (id) => fixture.holdMidway(id, () => fixture.stand.start(id))), {
    ownRunner: true,
    longer: true,
    long: COLLECTIONS,
  });
});
