import { it } from 'vitest';
import { LONG } from '../../long-form.mjs';
import { kindsMet } from './fixture';
import { KIND_NAMES } from './kinds';
import { crashAt, finishWithWorker, killWorker, openWithWorkers, startWorker } from './worker-process';

/**
 * The process is killed at chosen commands, during the deletion and during the undo; the next process continues from
 * the journal. Once the command was carried out and its reply was lost, once it never arrives. LONG=1: every kind, and
 * in the undo each of them twice; else one kind that is read by cursor, one by index and one in batches.
 */
it('twice and more in the middle of every kind of key, there and back', async () => {
  // Small keys are deleted first and restored in the order of the plan.
  const others = KIND_NAMES.filter((name) => name !== 'batched');
  const fixture = await openWithWorkers(['batched', ...kindsMet(['hash', 'list'], others, ['hash', 'list'])]);
  const id = await fixture.plan();
  const job = await fixture.stand.start(id);
  for (const [seq, { kind }] of fixture.keys.entries()) {
    const { longer, read, middle } = kind;
    await crashAt(fixture, { ...(longer ? middle : { word: read }), act: 'swallow' });
    const { held, started } = await fixture.holdMidway(id, () => startWorker(fixture.folder), seq);
    await killWorker(started);
    held.drop();
    if (!longer) await crashAt(fixture, { ...middle, act: 'swallow' });
  }
  await finishWithWorker(fixture, job);
  await fixture.expectGone(id);

  const undo = await fixture.stand.start(id, 'undo');
  for (const [seq, { kind }] of fixture.keys.entries()) {
    if (LONG || seq > 0) await crashAt(fixture, { word: kind.build, act: 'hold' });
    if (LONG || seq === 0) await crashAt(fixture, { word: 'EVAL', act: 'swallow' });
  }
  await finishWithWorker(fixture, undo);
  await fixture.expectBack(id);
}, 600_000);
