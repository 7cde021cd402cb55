import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordStatements } from '@/test/record-statements';
import { sqlByHand } from '@/test/sql-by-hand';
import { temporaryData } from '@/test/temporary-data';
import { getDb } from './open-store';
import { insertSnapshot, listKeysHistory, listNewestSnapshotRows } from './snapshots';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

it('the growth of each instance is one row: the newest sealed ones, the oldest of them first', async () => {
  await getDb(undefined);
  await sqlByHand(`insert into snapshots (id, instance_id, state, started_at, keys, partial)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 200)
    select 's' || i, 'i' || (i % 4), case when i > 196 then 'live' else 'sealed' end, i, 9000000000 + i, 0 from n`);
  let history = new Map<string, number[]>();
  const [asked] = await recordStatements(async () => {
    history = await listKeysHistory(30);
  });
  expect([...history.keys()].toSorted()).toEqual(['i0', 'i1', 'i2', 'i3']);
  const newest = Array.from({ length: 30 }, (_, i) => 9_000_000_000 + 196 - 4 * (29 - i));
  expect(history.get('i0')).toEqual(newest);
  expect((await (await getDb(undefined)).executeQuery(asked!)).rows).toHaveLength(4);
});

it('a part of the keyspace never stands for its instance', async () => {
  const line = { jobId: null, endedAt: null, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  const add = (id: string, instanceId: string, startedAt: number, isPart: boolean) =>
    insertSnapshot({ ...line, id, instanceId, startedAt, isPart, state: 'sealed', keys: startedAt, partial: false });
  await add('whole', 'both', 1, false);
  await add('part', 'both', 2, true);
  await add('only', 'parts', 3, true);
  expect((await listNewestSnapshotRows()).map(({ id }) => id)).toEqual(['whole']);
  expect(await listKeysHistory(30)).toEqual(new Map([['both', [1]]]));
});
