import { expect, it } from 'vitest';
import { standPerTest } from '../deletions/stand-per-test';
import { pour } from '../servers/seed';

/** UNLINK frees up to 64 elements in the main thread, however large they are. */
const on = standPerTest();
const FIELDS = 60;

it('few large elements that nobody agreed to free at once go in pieces', async () => {
  const value = Buffer.alloc(3 * 1024 * 1024, 'x');
  await pour(
    on.client,
    Array.from({ length: FIELDS }, (_, i) => ['HSET', 'big', `f${i}`, value]),
  );
  const id = await on.stand.plan([{ name: 'big', type: 'hash', length: FIELDS }], { mode: 'unlink' });
  await on.client.config('RESETSTAT');
  await on.stand.until(await on.stand.start(id), ['succeeded']);
  expect((await on.stand.items(id))[0]).toMatchObject({ state: 'done' });
  expect(await on.client.dbsize()).toBe(0);
  expect(await on.client.info('commandstats')).toMatch(/cmdstat_hdel:calls=\d\d/);
});
