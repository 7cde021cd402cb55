import { describe, expect, it, onTestFinished } from 'vitest';
import { cancelJob } from '../../lib/jobs/cancel-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { untilHeard } from '../deletions/faults/finish-job';
import type { Fixture } from '../deletions/faults/fixture';
import { openFixture } from '../deletions/faults/fixture';
import type { KindName } from '../deletions/faults/kinds';
import { pour } from '../servers/seed';

/** An undo from the middle of a deletion restores only what was deleted. */
const countCalls = async ({ client }: Fixture, command: string) =>
  Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await client.info('commandstats'))?.[1] ?? 0);

async function cancelMidway(fixture: Fixture, id: string): Promise<void> {
  const { held, started: job } = await fixture.holdMidway(id, () => fixture.stand.start(id));
  await cancelJob(LOCAL_ADMIN, job);
  await untilHeard(job);
  held.release();
  await fixture.stand.until(job, ['cancelled']);
}

describe('what is left is refilled: nothing is built anew', () => {
  it.each<[KindName, string, string]>([
    ['hash', 'hset', 'hscan'],
    ['set', 'sadd', 'sscan'],
    ['zset', 'zadd', 'zrange'],
    ['list', 'rpush', 'lrange'],
  ])('%s', async (kind, add, read) => {
    const fixture = await openFixture([kind], { longer: true });
    onTestFinished(() => fixture.close());
    const { client } = fixture;
    const id = await fixture.plan();
    await cancelMidway(fixture, id);
    await client.config('RESETSTAT');
    await fixture.undo(id);
    await fixture.expectBack(id);
    // The remaining elements were not read, and none of the existing ones was written again.
    expect(await countCalls(fixture, read)).toBe(0);
    expect(await countCalls(fixture, add)).toBeGreaterThan(0);
    expect(await countCalls(fixture, 'unlink')).toBe(0);
  });
});

it('a name that is taken: what was refilled waits whole, and goes by renaming when it is free', async () => {
  const fixture = await openFixture(['list'], { longer: true });
  onTestFinished(() => fixture.close());
  const { client, key } = fixture;
  const id = await fixture.plan();
  await cancelMidway(fixture, id);
  await client.set(key.name, 'theirs');
  await fixture.undoRefused(id);
  expect(await fixture.item(id)).toMatchObject({ state: 'tombstoned', reason: { code: 'recreated' } });
  await client.del(key.name);
  await client.config('RESETSTAT');
  await fixture.undo(id);
  await fixture.expectBack(id);
  expect(await countCalls(fixture, 'rpush')).toBe(0);
});

it('where the server evicts any key it is copied first: what is evicted on its way is not lost', async () => {
  const args = ['--maxmemory', '200mb', '--maxmemory-policy', 'allkeys-random'];
  const fixture = await openFixture(['set'], { longer: true, args });
  onTestFinished(() => fixture.close());
  const { client, stand } = fixture;
  const id = await fixture.plan();
  await cancelMidway(fixture, id);
  const { held, started: job } = await fixture.strike({ word: 'SADD', after: 5, act: 'hold' }, () =>
    stand.start(id, 'undo'),
  );
  await client.unlink(...(await client.keys('colonnade:*:*')));
  held.release();
  await fixture.finishRefused(job);
  expect(await fixture.item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'count_short' } });
  await fixture.undo(id);
  await fixture.expectBack(id);
});

it('rows that were pending of deleted entries: those that do not come back are named', async () => {
  const fixture = await openFixture(['stream']);
  onTestFinished(() => fixture.close());
  const { client, key } = fixture;
  await client.xgroup('CREATE', key.name, 'workers', '0');
  const read = await client.call('XREADGROUP', 'GROUP', 'workers', 'w1', 'COUNT', '6', 'STREAMS', key.name, '>');
  const ids = (read as [string, [string, unknown][]][])[0]?.[1].map(([entry]) => entry) ?? [];
  await client.xdel(key.name, ids[1] ?? '', ids[4] ?? '');
  const id = await fixture.plan();
  await fixture.finish(await fixture.stand.start(id));
  await fixture.undo(id);
  expect(await fixture.item(id)).toMatchObject({
    state: 'undone',
    reason: { code: 'pending_lost', params: { rows: 2, ids: `${ids[1]}, ${ids[4]}` } },
  });
  const pending = (await client.call('XPENDING', key.name, 'workers', '-', '+', '10')) as [string][];
  expect(pending.map(([entry]) => entry)).toEqual(ids.filter((_, index) => index !== 1 && index !== 4));
});

it('of 130,000 rows that were pending of deleted entries all are counted, and the stream is there again', async () => {
  const fixture = await openFixture(['stream']);
  onTestFinished(() => fixture.close());
  const { client, stand } = fixture;
  const LOST = 130_000;
  await pour(client, entries(LOST));
  await client.xgroup('CREATE', 'jobs', 'workers', '0');
  await client.call('XREADGROUP', 'GROUP', 'workers', 'w1', 'COUNT', String(LOST), 'STREAMS', 'jobs', '>');
  await client.call('XTRIM', 'jobs', 'MAXLEN', '0');
  await client.call('XADD', 'jobs', '*', 'f', 'the last one');
  const id = await stand.plan([{ name: 'jobs', type: 'stream', length: 1 }], { mode: 'archive' });
  await fixture.finish(await stand.start(id));
  expect(await client.exists('jobs')).toBe(0);
  await fixture.finish(await stand.start(id, 'undo'));
  expect((await stand.items(id))[0]).toMatchObject({ state: 'undone', reason: { params: { rows: LOST } } });
  expect(await client.xlen('jobs')).toBe(1);
});

function* entries(count: number): Iterable<string[]> {
  for (let i = 1; i <= count; i++) yield ['XADD', 'jobs', `1-${i}`, 'f', 'v'];
}
