import { describe } from 'vitest';
import { deletionKind } from '../../../lib/deletions/deletion-kind';
import { createRunner, type Runner } from '../../../lib/jobs/loop/runner';
import { getStoredJob, updateJob } from '../../../lib/store/jobs';
import { sleep } from '../../servers/process';
import type { Held } from './fault-proxy';
import { type Fixture, forKinds } from './fixture';
import { COLLECTIONS, LARGE } from './kinds';

/**
 * A run that stands still in the middle of a command for longer than its lease, and goes on when another one has ended
 * the job: it has elements in hand, writes them to an archive, and hears only then that the job is not its own.
 */
const THAWED_MS = 500;

const runnerOf = (kind: typeof deletionKind, tickMs: number): Runner =>
  createRunner({ kinds: [kind as never], concurrency: 1, tickMs, pollMs: 20 });

/** From `freeze` on the store answers nothing to it until `thaw`, so it does not hear what has become of its lease. */
function freezable() {
  let frozen = Promise.resolve();
  let thaw = () => {};
  const kind: typeof deletionKind = {
    ...deletionKind,
    run: (context) =>
      deletionKind.run({
        ...context,
        job: context.job,
        async fenced(act) {
          await frozen;
          return context.fenced(act);
        },
      }),
  };
  const freeze = () => {
    frozen = new Promise((resolve) => {
      thaw = resolve;
    });
  };
  return { runner: runnerOf(kind, 60_000), freeze, thaw: () => thaw() };
}

async function overtaken(
  fixture: Fixture,
  strike: (id: string) => Promise<{ held: Held; started: string }>,
): Promise<void> {
  const id = await fixture.plan();
  const { runner, freeze, thaw } = freezable();
  await runner.start();
  const { held, started: job } = await strike(id);
  freeze();
  const stored = await getStoredJob(job);
  // As if it had stood still for so long: its lease has run out.
  await updateJob(job, { lease: { ...stored!.lease, until: 0 } });
  const next = runnerOf(deletionKind, 100);
  await next.start();
  try {
    await fixture.finish(job);
    held.release();
    await sleep(THAWED_MS);
    thaw();
    await runner.stop();
    await fixture.expectGone(id);
    await fixture.undo(id);
    await fixture.expectBack(id);
  } finally {
    thaw();
    await runner.stop();
    await next.stop();
  }
}

describe('with elements in hand that nobody has heard of', () => {
  forKinds(
    ['hash', 'string'],
    (fixture) =>
      overtaken(fixture, (id) =>
        fixture.strike({ word: fixture.key.kind.read, after: 3, act: 'hold' }, () => fixture.stand.start(id)),
      ),
    { ownRunner: true, longer: true, long: LARGE },
  );
});

describe('while it removes what it has copied', () => {
  forKinds(
    ['hash', 'list', 'stream'],
    (fixture) => overtaken(fixture, (id) => fixture.holdMidway(id, () => fixture.stand.start(id))),
    { ownRunner: true, longer: true, long: COLLECTIONS },
  );
});
