import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlan } from '../../lib/deletions/make-plan';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { ExpireOptions } from '../../lib/model/deletions/plan-request';
import { openStand, type Stand } from '../deletions/stand';
import { makeDeletion } from '../deletions/stand-per-test';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { confirmPlan } from './snapshot-plan';

/**
 * Whether keys may be renamed is tested with names of the selection, and without a write command where none may be
 * sent.
 */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let stand: Stand;
const open = async (readOnly = false) => {
  stand = await openStand(redis, { readOnly });
};

beforeEach(async () => {
  data = temporaryData();
  redis = await startRedis({ acl: ['user admin on nopass ~* +@all'] });
  await redis.client().hset('app:k', { a: '1', b: '2' });
});
afterEach(async () => {
  await stand.close();
  await redis.stop();
  await data.remove();
});

const admin = () => redis.client({ username: 'admin', password: 'any' });
const limit = (...rules: string[]) => admin().call('ACL', 'SETUSER', 'default', ...rules);
const plan = (options = {}) => makePlan(LOCAL_ADMIN, makeDeletion(stand.instanceId, ['app:k'], options));

describe.each([
  ['asking the server', []],
  ['where it may not be asked', ['-acl']],
])('%s', (_how, denied) => {
  it('keys of a narrow pattern go as chosen, not in place', async () => {
    await open();
    await limit('resetkeys', '~app:*', '~colonnade:*', ...denied);
    const made = await plan();
    expect(made.totals.byMode).toEqual([{ mode: 'archive', keys: 1 }]);
    await stand.until(await confirmPlan(made), ['succeeded']);
    expect((await stand.items(made.id))[0]?.state).toBe('done');
  });

  it('names of ours outside the pattern: left out with what to grant, in place only if chosen', async () => {
    await open();
    await limit('resetkeys', '~app:*', ...denied);
    await expect(plan()).rejects.toMatchObject({ code: 'nothing_to_do', details: { reasons: ['tombstone_denied'] } });
    expect((await plan({ mode: 'in_place' })).totals.byMode).toEqual([{ mode: 'in_place', keys: 1 }]);
  });

  it('the command denied: in place with a consent, and the plan says why', async () => {
    await open();
    await limit('-renamenx', ...denied);
    const made = await plan();
    expect(made.totals.byMode).toEqual([{ mode: 'in_place', keys: 1 }]);
    expect(made.consents).toContain('in_place');
    expect(made.notices.map(({ code }) => code)).toContain('grant_rename');
  });

  it('scripts denied: in place with a consent, and the plan says why', async () => {
    await open();
    await limit('-eval', ...denied);
    const made = await plan();
    expect(made.totals.byMode).toEqual([{ mode: 'in_place', keys: 1 }]);
    expect(made.consents).toContain('in_place');
    expect(made.notices.map(({ code }) => code)).toContain('grant_scripts');
    await stand.until(await confirmPlan(made), ['succeeded']);
    expect((await stand.items(made.id))[0]).toMatchObject({ state: 'done', archived: 2 });
  });

  it('scripts denied: what needs a rename or a comparison is refused with what to grant', async () => {
    await open();
    await limit('-eval', ...denied);
    const refused = { code: 'nothing_to_do', details: { reasons: ['scripts_denied'] } };
    await expect(plan({ mode: 'quarantine' })).rejects.toMatchObject(refused);
    await admin().set('app:k', 'a string');
    await expect(plan()).rejects.toMatchObject(refused);
    const { selection } = makeDeletion(stand.instanceId, ['app:k']);
    const expiries = ExpireOptions.parse({ fromSeconds: 3600, windowSeconds: 0, only: 'none' });
    const request = { instanceId: stand.instanceId, selection, task: 'expire' as const, options: expiries };
    await expect(makePlan(LOCAL_ADMIN, request)).rejects.toMatchObject(refused);
    expect(await admin().get('app:k')).toBe('a string');
  });

  it('planning on a read-only instance sends no writing command', async () => {
    await open(true);
    await limit(...(denied.length > 0 ? denied : ['+@all']));
    await admin().config('RESETSTAT');
    const made = await plan();
    expect(made.totals.byMode).toEqual([{ mode: 'archive', keys: 1 }]);
    expect(made.notices.some(({ code }) => code === 'rename_unknown')).toBe(denied.length > 0);
    const sent = [...(await admin().info('commandstats')).matchAll(/cmdstat_(\w+)/g)].map(([, word = '']) => word);
    const writing = (await admin().call('COMMAND', 'LIST', 'FILTERBY', 'ACLCAT', 'write')) as string[];
    expect(sent.filter((word) => writing.includes(word))).toEqual([]);
  });
});
