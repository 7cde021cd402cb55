import { beforeEach, expect, it } from 'vitest';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { getJournal } from '@/lib/deletions/journal/write-journal';
import { type StoredItem, updateItem } from '../../lib/store/deletions/deletion-items';
import { sleep } from '../servers/process';
import { computeDigest } from './digest';
import { ROUND_BYTES_EACH, seedLarge } from './seed-large';
import { standPerTest } from './stand-per-test';

const key = { name: 'big:list', type: 'list', length: 750, bytes: 5_000_000 } as const;
const on = standPerTest();
let before: string;
let expireAt: number;

beforeEach(async () => {
  await seedLarge(on.client, key.type, key.name, key.length, ROUND_BYTES_EACH);
  await on.client.set('big:neighbour', 'stays');
  expireAt = Date.now() + 7_200_000;
  await on.client.pexpireat(key.name, expireAt);
  before = await computeDigest(on.client, key.name);
});

async function expectBack(): Promise<void> {
  expect(await computeDigest(on.client, key.name)).toBe(before);
  expect(await on.client.pexpiretime(key.name)).toBe(expireAt);
  expect((await on.client.keys('*')).sort()).toEqual([key.name, 'big:neighbour'].sort());
}

async function quarantined(hours: number): Promise<string> {
  const options = { mode: 'quarantine', quarantineHours: hours, afterQuarantine: 'archive' };
  const id = await on.stand.plan([key], options);
  await on.stand.until(await on.stand.start(id), ['succeeded']);
  expect((await on.stand.items(id))[0]).toMatchObject({ state: 'quarantined' });
  return id;
}

it('gives the very same key back', async () => {
  const id = await quarantined(1);
  await on.stand.until(await on.stand.start(id, 'undo'), ['succeeded']);
  await expectBack();
});

it('purges nothing before its time is over', async () => {
  const id = await quarantined(0.01);
  await sleep(200);
  await on.stand.until(await on.stand.start(id, 'purge'), ['succeeded']);
  expect((await on.stand.items(id))[0]).toMatchObject({ state: 'quarantined' });
});

it('purges when its time is over, with an archive from which the key comes back', async () => {
  const { client, stand } = on;
  const id = await quarantined(1);
  const [item] = await stand.items(id);
  if (!item) throw new Error('The deletion has no item.');
  await updateItem(id, 0, { journal: { ...getJournal(item), purgeAt: Date.now() } });
  await stand.until(await stand.start(id, 'purge'), ['succeeded']);
  expect((await stand.items(id))[0]).toMatchObject({ state: 'done', removed: key.length });
  expect(await client.keys('*')).toEqual(['big:neighbour']);
  await stand.until(await stand.start(id, 'undo'), ['succeeded']);
  await expectBack();
});

it('gives many keys back together, and tells of each that does not come back why', async () => {
  const { client, stand } = on;
  const names = Array.from({ length: 60 }, (_, n) => `small:${n}`);
  for (const [n, name] of names.entries()) await client.rpush(name, 'a', String(n));
  await client.pexpireat('small:7', expireAt);
  await client.pexpire('small:9', 100_000);
  const digest = () => client.call('DEBUG', 'DIGEST-VALUE', ...names.filter((_, n) => ![3, 5, 9].includes(n)));
  const was = await digest();
  const keys = names.map((name) => ({ name, type: 'list', length: 2, bytes: 90 }) as const);
  const options = { mode: 'quarantine', quarantineHours: 1, afterQuarantine: 'archive' };
  const id = await stand.plan(keys, options);
  await stand.until(await stand.start(id), ['succeeded']);
  const items = await stand.items(id);
  await client.set('small:3', 'of the application');
  await client.del(buildTombstoneName(items[5] as StoredItem));
  const ninth = items[9] as StoredItem;
  await updateItem(id, 9, { journal: { ...getJournal(ninth), expireAt: Date.now() - 1000 } });
  await client.config('RESETSTAT');
  await stand.until(await stand.start(id, 'undo'), ['succeeded']);

  const after = await stand.items(id);
  expect(after[3]).toMatchObject({ state: 'quarantined', reason: { code: 'recreated' } });
  expect(after[5]).toMatchObject({ state: 'quarantined', reason: { code: 'tombstone_gone' } });
  expect(after[9]).toMatchObject({ state: 'quarantined', reason: { code: 'expired_meanwhile' } });
  expect(after.filter(({ state }) => state === 'undone')).toHaveLength(57);
  expect(await digest()).toEqual(was);
  expect(await client.pexpiretime('small:7')).toBe(expireAt);
  expect(await client.get('small:3')).toBe('of the application');
  // Each rename reads the clock within its script; before that it is read once for all.
  const calls = /cmdstat_time:calls=(\d+)/.exec(await client.info('commandstats'))?.[1];
  expect(Number(calls)).toBeLessThan(90);
});
