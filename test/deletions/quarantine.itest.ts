import { beforeEach, expect, it } from 'vitest';
import { journalOf } from '../../lib/deletions/item-journal';
import { updateItem } from '../../lib/store/deletion-items';
import { sleep } from '../servers/process';
import { digestOf } from './digest';
import { seedLarge } from './seed-large';
import { standPerTest } from './stand-per-test';

const key = { name: 'big:list', type: 'list', length: 40_000, bytes: 5_000_000 } as const;
const on = standPerTest();
let before: string;
let expireAt: number;

beforeEach(async () => {
  await seedLarge(on.client, key.type, key.name, key.length);
  await on.client.set('big:neighbour', 'stays');
  expireAt = Date.now() + 7_200_000;
  await on.client.pexpireat(key.name, expireAt);
  before = await digestOf(on.client, key.name);
});

async function expectBack(): Promise<void> {
  expect(await digestOf(on.client, key.name)).toBe(before);
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
  await updateItem(id, 0, { journal: { ...journalOf(item), purgeAt: Date.now() } });
  await stand.until(await stand.start(id, 'purge'), ['succeeded']);
  expect((await stand.items(id))[0]).toMatchObject({ state: 'done', removed: key.length });
  expect(await client.keys('*')).toEqual(['big:neighbour']);
  await stand.until(await stand.start(id, 'undo'), ['succeeded']);
  await expectBack();
});
