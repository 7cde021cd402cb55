import { describe, expect, it } from 'vitest';
import { standPerTest } from '../deletions/stand-per-test';
import { confirmPlan, planOfSnapshot } from './snapshot-plan';

/** A key that was small in the plan and is large now is not what was approved, whatever length the snapshot had. */
const on = standPerTest();
const MANY = 20_000;

const grow = (name: string) =>
  on.client.hset(name, Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`f${i}`, 'a value of some bytes'])));
const item = async (id: string, seq = 0) => (await on.stand.items(id))[seq];

describe.each(['unlink', 'archive', 'drain', 'quarantine'])('a key whose length no scan has counted: %s', (mode) => {
  it('stays when it has grown since the plan', async () => {
    await on.client.hset('h', 'a', '1');
    const plan = await planOfSnapshot(on, [{ name: 'h', type: 'hash', bytes: 88 }], { mode });
    await grow('h');
    await on.stand.until(await confirmPlan(plan), ['succeeded']);
    expect(await on.client.hlen('h')).toBe(MANY + 1);
    expect(await item(plan.id)).toMatchObject({ state: 'aborted', reason: { code: 'changed_bytes' } });
  });
});

it('unknown lengths are looked at live when planning, many at once', async () => {
  const names = Array.from({ length: 2500 }, (_, i) => `k:${String(i).padStart(5, '0')}`);
  const write = on.client.pipeline();
  for (const [i, name] of names.entries()) write.rpush(name, ...Array.from({ length: 1 + (i % 3) }, String));
  await write.exec();
  await on.client.del('k:00007');
  await on.client.del('k:00008');
  await on.client.set('k:00008', 'no list any more');
  await on.client.del('k:00009');
  await grow('k:00009');
  const plan = await planOfSnapshot(
    on,
    names.map((name) => ({ name, type: 'list', bytes: 88 })),
  );
  expect(plan.totals).toMatchObject({ keys: 2499 });
  const items = await on.stand.items(plan.id);
  const of = (name: string) => items.find((one) => one.facts.name === name);
  expect(of('k:00007')).toBeUndefined();
  expect(of('k:00008')).toMatchObject({ type: 'string', facts: { bytes: expect.any(Number) } });
  expect(of('k:00009')).toMatchObject({ type: 'hash', facts: { length: MANY } });
  expect(of('k:00009')?.facts.bytes).toBeGreaterThan(500_000);
  expect(of('k:00011')).toMatchObject({ type: 'list', facts: { length: null, bytes: expect.any(Number) } });
});

it.each(['unlink', 'archive'])('elements that grew in place of becoming more stay too: %s', async (mode) => {
  // The length in the plan allows a batch; the real key is too large for one.
  for (const name of ['l', 'm']) await on.client.rpush(name, 'a', 'b', 'c');
  const plan = await planOfSnapshot(
    on,
    [
      { name: 'l', type: 'list', length: 3, bytes: 88 },
      { name: 'm', type: 'list', length: 3, bytes: 20_000 },
    ],
    { mode },
  );
  for (const name of ['l', 'm']) await on.client.lset(name, 1, 'x'.repeat(2_000_000));
  await on.stand.until(await confirmPlan(plan), ['succeeded']);
  for (const name of ['l', 'm']) expect(await on.client.llen(name)).toBe(3);
  for (const seq of [0, 1])
    expect(await item(plan.id, seq)).toMatchObject({ state: 'aborted', reason: { code: 'changed_bytes' } });
});

describe('where counting is denied', () => {
  const deny = () => on.client.call('ACL', 'SETUSER', 'default', '-hlen');
  const allow = () => on.client.call('ACL', 'SETUSER', 'default', '+@all');

  it('the memory decides', async () => {
    await deny();
    try {
      await on.client.hset('h', 'a', '1');
      await on.client.hset('same', 'a', '1');
      const plan = await planOfSnapshot(
        on,
        [
          { name: 'h', type: 'hash', bytes: 88 },
          { name: 'same', type: 'hash', bytes: 88 },
        ],
        { mode: 'unlink' },
      );
      await grow('h');
      await on.stand.until(await confirmPlan(plan), ['succeeded']);
      expect(await on.client.exists('h', 'same')).toBe(1);
      expect(await item(plan.id)).toMatchObject({ state: 'aborted', reason: { code: 'changed_bytes' } });
      expect(await item(plan.id, 1)).toMatchObject({ state: 'done' });
    } finally {
      await allow();
    }
  });

  it('and without either the plan says so', async () => {
    await deny();
    await on.client.call('ACL', 'SETUSER', 'default', '-memory');
    try {
      await on.client.hset('h', 'a', '1');
      const plan = await planOfSnapshot(on, [{ name: 'h', type: 'hash', bytes: -1 }], { mode: 'archive' });
      expect(plan.hazards.map(({ hazard }) => hazard)).toContain('unknown_size');
    } finally {
      await allow();
    }
  });
});
