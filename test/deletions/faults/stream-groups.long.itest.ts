import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { getJournal } from '../../../lib/deletions/journal/write-journal';
import { pour, type SeedCommand } from '../../servers/seed';
import { KINDS, type Kind } from './kinds';
import { crashAt, finishWithWorker, openWithWorkers } from './worker-process';

const CONSUMERS = 2_000;
/** Groups with many names of this length take several rounds of copying and journalling. */
const NAME_BYTES = 4_000;
const makeName = (i: number) => `consumer ${i}`.padEnd(NAME_BYTES, '.');

function* commands(name: string): Generator<SeedCommand> {
  for (let i = 0; i < CONSUMERS; i++) yield ['XADD', name, `${1000 + i}-0`, 'n', String(i)];
  for (const group of ['all', 'idle']) yield ['XGROUP', 'CREATE', name, group, '0'];
  for (let i = 0; i < CONSUMERS; i++) {
    yield ['XREADGROUP', 'GROUP', 'all', makeName(i), 'COUNT', '1', 'STREAMS', name, '>'];
    if (i % 2) yield ['XGROUP', 'CREATECONSUMER', name, 'idle', makeName(i)];
  }
}

const crowded: Kind = {
  ...KINDS.stream,
  length: CONSUMERS,
  longer: { length: CONSUMERS, seed: (client, name) => pour(client, commands(name)) },
};

async function readGroups(client: Redis, name: string): Promise<unknown> {
  const pending = (await client.call('XPENDING', name, 'all', '-', '+', '100000')) as unknown[][];
  return {
    groups: await client.call('XINFO', 'GROUPS', name),
    consumers: ((await client.call('XINFO', 'CONSUMERS', name, 'idle')) as unknown[][]).map(([, consumer]) => consumer),
    pending: pending.map(([id, consumer, , times]) => [id, consumer, times]),
  };
}

it('killed between two pages of its groups, a stream is archived and restored whole, and once more', async () => {
  const fixture = await openWithWorkers([['app:crowded', crowded]]);
  const { client, key, stand } = fixture;
  const before = await readGroups(client, key.name);
  const id = await fixture.plan();
  const job = await stand.start(id);
  await crashAt(fixture, { word: 'XPENDING', after: 2, act: 'swallow' });
  // The position in the journal is in the middle of the groups, and the next worker continues there.
  expect(getJournal(await fixture.item(id)).position).toMatchObject({ groups: { group: 0 } });
  await crashAt(fixture, { word: 'XPENDING', after: 1, act: 'hold' });
  await crashAt(fixture, { word: 'XACK', act: 'swallow' });
  await finishWithWorker(fixture, job);
  await fixture.expectGone(id);
  expect(getJournal(await fixture.item(id)).archives?.length).toBeGreaterThan(1);

  const undo = await stand.start(id, 'undo');
  await crashAt(fixture, { word: 'XCLAIM', after: 300, act: 'hold' });
  await crashAt(fixture, { word: 'XGROUP', after: 900, act: 'swallow' });
  await finishWithWorker(fixture, undo);
  await fixture.expectBack(id);
  expect(await readGroups(client, key.name)).toEqual(before);

  const again = await fixture.plan();
  await finishWithWorker(fixture, await stand.start(again));
  await fixture.expectGone(again);
  await finishWithWorker(fixture, await stand.start(again, 'undo'));
  await fixture.expectBack(again);
  expect(await readGroups(client, key.name)).toEqual(before);
}, 600_000);
