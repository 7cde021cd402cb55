import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { getDeletion } from '../../lib/deletions/get-deletion';
import { sweepDeletions } from '../../lib/deletions/sweep-deletions';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { findOpenDeletions } from '../../lib/store/deletions/deletion-holds';
import { type StoredItem, updateItem } from '../../lib/store/deletions/deletion-items';
import { getDb } from '../../lib/store/open-store';
import { firstPage, standPerTest } from '../deletions/stand-per-test';

const on = standPerTest();
const DAY_MS = 86_400_000;

async function seedHashes(keys: number) {
  const names = Array.from({ length: keys }, (_, i) => `app:${i}`);
  const pipe = on.client.pipeline();
  for (const name of names) pipe.hset(name, { a: '1', b: '2' });
  await pipe.exec();
  return names.map((name) => ({ name, type: 'hash', length: 2, bytes: 80 }));
}

const archiveFiles = (id: string) => readdirSync(join(on.data.dir, 'archives', id));
const digest = () => on.client.call('DEBUG', 'DIGEST');

it('purges many small keys of a quarantine into one archive, from which they come back', async () => {
  const keys = await seedHashes(700);
  const before = await digest();
  const id = await on.stand.plan(keys, { mode: 'quarantine', quarantineHours: 1 });
  await on.stand.until(await on.stand.start(id), ['succeeded']);
  for (const { seq, journal } of await on.stand.items(id))
    await updateItem(id, seq, { journal: { ...(journal as object), purgeAt: Date.now() } });
  await on.stand.until(await on.stand.start(id, 'purge'), ['succeeded']);
  expect(await on.client.dbsize()).toBe(0);
  expect((await getDeletion(LOCAL_ADMIN, id)).counts).toEqual({ done: 700 });
  expect(archiveFiles(id)).toHaveLength(1);
  await on.stand.until(await on.stand.start(id, 'undo'), ['succeeded']);
  expect(await digest()).toBe(before);
});

it('tells how far it is, and what is due, without asking a single key: a page that is open costs no time of the job', async () => {
  const id = await on.stand.plan(await seedHashes(20), { retentionHours: 1 });
  await on.stand.until(await on.stand.start(id), ['succeeded']);
  const reported = await getDeletion(LOCAL_ADMIN, id);
  expect(reported).toMatchObject({ counts: { done: 20 }, undoable: 20, removedElements: 40 });
  const db = await getDb(undefined);
  await sql`alter table deletion_items rename column deletion_id to nobody`.execute(db);
  try {
    await expect(firstPage(id)).rejects.toThrow(/deletion_id/);
    expect(await getDeletion(LOCAL_ADMIN, id)).toMatchObject({ ...reported, undoUntil: expect.any(Number) });
    expect(await findOpenDeletions(on.stand.instanceId, Date.now())).toEqual([{ id, keys: 20 }]);
  } finally {
    await sql`alter table deletion_items rename column nobody to deletion_id`.execute(db);
  }
});

it('says why a key of many is not purged: what was set aside has lost an element', async () => {
  const id = await on.stand.plan(await seedHashes(3), { mode: 'quarantine', quarantineHours: 1 });
  await on.stand.until(await on.stand.start(id), ['succeeded']);
  const items = await on.stand.items(id);
  await on.client.hdel(buildTombstoneName(items[1] as StoredItem), 'a');
  for (const { seq, journal } of items)
    await updateItem(id, seq, { journal: { ...(journal as object), purgeAt: Date.now() } });
  await on.stand.until(await on.stand.start(id, 'purge'), ['succeeded']);
  const ended = (await on.stand.items(id)).map(({ state, reason }) => [state, reason?.code]);
  expect(ended).toEqual([
    ['done', undefined],
    ['needs_review', 'copy_short'],
    ['done', undefined],
  ]);
  expect(await on.client.dbsize()).toBe(1);
});

it('goes on with a purge that was cut off, also when one key was undone since', async () => {
  const id = await on.stand.plan(await seedHashes(3), { mode: 'quarantine', quarantineHours: 1 });
  await on.stand.until(await on.stand.start(id), ['succeeded']);
  for (const { seq, journal } of await on.stand.items(id)) {
    const purgeAt = Date.now() - DAY_MS;
    await updateItem(id, seq, { state: 'tombstoned', undoUntil: null, journal: { ...(journal as object), purgeAt } });
  }
  await on.stand.until(await on.stand.start(id, 'undo', { items: [0] }), ['succeeded']);
  await sweepDeletions();
  await expect.poll(async () => (await getDeletion(LOCAL_ADMIN, id)).counts).toEqual({ undone: 1, done: 2 });
  expect(await on.client.keys('*')).toEqual(['app:0']);
});

it('passes over what expires within a minute by then, where that was asked for', async () => {
  const keys = await seedHashes(3);
  const id = await on.stand.plan(keys, { onExpiring: 'skip' });
  await on.client.expire('app:1', 50);
  await on.stand.until(await on.stand.start(id), ['succeeded']);
  expect(await on.client.keys('*')).toEqual(['app:1']);
  expect((await on.stand.items(id))[1]).toMatchObject({ state: 'skipped', reason: { code: 'expires_soon' } });
});

it('removes the rows of a deletion when its undo has ended, and keeps what is told of it', async () => {
  const id = await on.stand.plan(await seedHashes(300), { retentionHours: 1 });
  await on.stand.until(await on.stand.start(id), ['succeeded']);
  const before = await getDeletion(LOCAL_ADMIN, id);
  expect(before).toMatchObject({ counts: { done: 300 }, undoable: 300, itemsRemovedAt: null });
  await sweepDeletions(Date.now() + DAY_MS / 48);
  expect((await firstPage(id)).total).toBe(300);
  const began = Date.now();
  await sweepDeletions(began + DAY_MS);
  expect(await firstPage(id)).toMatchObject({ total: 0, items: [] });
  const after = await getDeletion(LOCAL_ADMIN, id);
  const { counts, removedElements, archiveBytes } = before;
  expect(after).toMatchObject({ counts, removedElements, archiveBytes, undoable: 0 });
  expect(after.itemsRemovedAt).toBeGreaterThanOrEqual(began);
  expect(readdirSync(join(on.data.dir, 'archives'))).toEqual([]);
});
