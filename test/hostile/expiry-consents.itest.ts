import { expect, it } from 'vitest';
import { getDeletion } from '../../lib/deletions/get-deletion';
import { makePlan } from '../../lib/deletions/make-plan';
import { startDeletion } from '../../lib/deletions/start-deletion';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { PlanRequest } from '../../lib/model/deletions/plan-request';
import { seedLarge } from '../deletions/seed-large';
import { standPerTest, toKeys } from '../deletions/stand-per-test';
import { shiftOurClock } from '../shifted-clock';

/** Setting an expiry deletes a key as surely as a deletion does, only later and without anybody watching. */
const on = standPerTest();
const plan = (names: string[], fromSeconds: number) =>
  makePlan(
    LOCAL_ADMIN,
    PlanRequest.parse({
      task: 'expire',
      instanceId: on.stand.instanceId,
      selection: { by: 'keys', keys: toKeys(...names) },
      options: { fromSeconds, windowSeconds: 0, speed: 'fast' },
    }),
  );

it('asks for a consent where keys expire within minutes, and where the server frees them in the main thread', async () => {
  const { client } = on;
  await client.config('SET', 'lazyfree-lazy-expire', 'no');
  await client.set('small', 'x');
  await seedLarge(client, 'hash', 'large', 20_000);
  expect(await plan(['small'], 3600)).toMatchObject({ consents: [], hazards: [] });
  const short = await plan(['small'], 60);
  expect(short).toMatchObject({ consents: ['short_expiry'], hazards: [{ hazard: 'short_expiry', keys: 1 }] });
  expect((await plan(['small', 'large'], 3600)).consents).toEqual(['blocking_expiry']);
  await client.config('SET', 'lazyfree-lazy-expire', 'yes');
  expect((await plan(['small', 'large'], 3600)).consents).toEqual([]);
  const confirm = { planId: short.id, confirm: 'stand', consents: [] };
  await expect(startDeletion(LOCAL_ADMIN, confirm)).rejects.toMatchObject({ code: 'consent_missing' });
});

it('gives none to a key that is no longer what the plan saw', async () => {
  const { client, stand } = on;
  await client.rpush('other type', 1);
  await seedLarge(client, 'hash', 'grown', 10);
  const { id } = await plan(['other type', 'grown'], 3600);
  await client.del('other type');
  await client.set('other type', 'x');
  await seedLarge(client, 'hash', 'grown', 5000);
  await stand.until(await stand.start(id), ['succeeded']);
  expect((await stand.items(id)).map(({ state }) => state)).toEqual(['aborted', 'aborted']);
  expect([await client.pttl('other type'), await client.pttl('grown')]).toEqual([-1, -1]);
});

it('calls nothing undoable once the keys are gone', async () => {
  const { client, stand } = on;
  await client.set('a', 'x');
  const { id } = await plan(['a'], 60);
  await stand.until(await stand.start(id), ['succeeded']);
  expect(await getDeletion(LOCAL_ADMIN, id)).toMatchObject({ undoable: 1 });
  shiftOurClock(61_000);
  expect(await getDeletion(LOCAL_ADMIN, id)).toMatchObject({ undoable: 0 });
});

it('tells of a clock that is not ours, in the plan', async () => {
  await on.client.set('a', 'x');
  shiftOurClock(-600_000);
  expect((await plan(['a'], 3600)).notices).toContainEqual({
    code: 'clock_ahead',
    params: { address: expect.any(String), seconds: 600 },
  });
});
