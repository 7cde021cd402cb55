import { afterEach, describe, expect, it } from 'vitest';
import { makePlan } from '../../lib/deletions/make-plan';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { getInstanceRow, updateInstanceRow } from '../../lib/store/instances';
import { makeDeletion, standPerTest } from '../deletions/stand-per-test';
import { confirmPlan, planOfSnapshot } from './snapshot-plan';

/**
 * A key that the user may not access is excluded with its reason; it neither ends the plan nor is mistaken for another
 * key.
 */
const on = standPerTest();

/** Changes the rights of the instance's user, which is the default user. */
const may = (...rules: string[]) => on.client.call('ACL', 'SETUSER', 'default', ...rules);
afterEach(() => may('allkeys', '+@all'));
const planDeletion = (names: string[], options = {}) =>
  makePlan(LOCAL_ADMIN, makeDeletion(on.stand.instanceId, names, options));
const listNames = async (id: string) => (await on.stand.items(id)).map(({ facts }) => facts.name);

describe('keys outside the pattern of our user', () => {
  const pattern = ['resetkeys', '~app:*', '~colonnade:*'];

  it('picked by name: left out, and the others go', async () => {
    await on.client.mset('app:a', '1', 'app:b', '2', 'private', '3');
    await may(...pattern);
    const plan = await planDeletion(['app:a', 'private', 'app:b']);
    expect(await listNames(plan.id)).toEqual(['app:a', 'app:b']);
    expect(plan.excluded).toEqual([{ reason: { code: 'denied_key', params: {} }, keys: 1, examples: ['private'] }]);
    await on.stand.until(await confirmPlan(plan), ['succeeded']);
    await may('allkeys');
    expect(await on.client.keys('*')).toEqual(['private']);
  });

  it('and no other: nothing to do, with the reason', async () => {
    await on.client.set('private', '3');
    await may(...pattern);
    await expect(planDeletion(['private'])).rejects.toMatchObject({
      code: 'nothing_to_do',
      details: { reasons: ['denied_key'] },
    });
  });

  it('of a filter, counted live or of an unknown type: left out', async () => {
    await on.client.rpush('app:list', '1', '2');
    await on.client.rpush('hidden:list', '1', '2');
    await on.client.set('hidden:what', '1');
    await may(...pattern);
    const plan = await planOfSnapshot(on, [
      { name: 'app:list', type: 'list', bytes: 88 },
      { name: 'hidden:list', type: 'list', bytes: 88 },
      { name: 'hidden:what', type: null },
    ]);
    expect(await listNames(plan.id)).toEqual(['app:list']);
    expect(plan.excluded).toMatchObject([{ reason: { code: 'denied_key' }, keys: 2 }]);
  });

  it('of a filter, asked as a sample: said, and the plan is made', async () => {
    await on.client.mset('app:a', '1', 'hidden:b', '2');
    await may(...pattern);
    const plan = await planOfSnapshot(on, [
      { name: 'app:a', type: 'string', length: 1, bytes: 56 },
      { name: 'hidden:b', type: 'string', length: 1, bytes: 56 },
    ]);
    expect(plan.notices).toContainEqual({ code: 'sample_denied', params: { denied: 1, sample: 2 } });
  });
});

describe('reading commands that are denied one by one', () => {
  it('INFO and ROLE: no master is known, so nothing is planned', async () => {
    await on.client.set('s', 'v');
    await may('-info');
    expect((await planDeletion(['s'])).notices.map(({ code }) => code)).not.toContain('replicas_unknown');
    await may('-role');
    await expect(planDeletion(['s'])).rejects.toMatchObject({ code: 'redis_unreachable' });
  });

  it.each(['memory', 'pttl', 'pexpiretime', 'object', 'strlen', 'hlen', 'time'])(
    '%s: the plan is made',
    async (name) => {
      await on.client.set('s', 'v');
      await on.client.hset('h', 'f', 'v');
      await may(`-${name}`);
      const plan = await planDeletion(['s', 'h']);
      expect(await listNames(plan.id)).toEqual(['s', 'h']);
      const counted = await planOfSnapshot(on, [{ name: 'h', type: 'hash' }]);
      expect(await listNames(counted.id)).toEqual(['h']);
    },
  );

  it('memory and the count: looked at whole', async () => {
    await on.client.hset('h', 'f', 'v');
    await may('-memory', '-hlen');
    const plan = await planOfSnapshot(on, [{ name: 'h', type: 'hash' }]);
    expect(plan.hazards.map(({ hazard }) => hazard)).toContain('unknown_size');
  });

  it('type: nothing can be told from anything else, so every key is left out', async () => {
    await on.client.set('s', 'v');
    await may('-type');
    await expect(planDeletion(['s'])).rejects.toMatchObject({
      code: 'nothing_to_do',
      details: { reasons: ['denied_key'] },
    });
  });
});

it('on a read-only instance too', async () => {
  await on.client.hset('app:a', 'f', 'v');
  await on.client.hset('private', 'f', 'v');
  await may('resetkeys', '~app:*');
  const row = await getInstanceRow(on.stand.instanceId);
  if (row) await updateInstanceRow({ ...row, settings: { ...row.settings, readOnly: true } });
  const plan = await planDeletion(['app:a', 'private'], { mode: 'in_place' });
  expect(plan.excluded).toMatchObject([{ reason: { code: 'denied_key' }, keys: 1 }]);
});
