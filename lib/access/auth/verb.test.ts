import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, ANONYMOUS, LOCAL_ADMIN } from '@/lib/model/actor';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { insertInstanceRow } from '@/lib/store/instances';
import { getDb } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { verb } from './verb';
import { createVisibilityFilter, scopeToAll, scopeToInstance, scopeToOwn } from './verb-scopes';

const VIEWER: Actor = { id: 'v', name: 'vera', role: 'viewer', via: 'api' };
const GUEST: Actor = { id: 'g', name: 'gus', role: 'none', via: 'api' };
const on = (value: string): Actor => ({ ...GUEST, grants: [{ kind: 'tag', value, role: 'operator' }] });

const atEveryInstance = verb(
  { needs: 'stop.set', on: scopeToAll, action: 'test.act', subject: () => 's' },
  async (_: Actor) => 'done',
);
const scan = verb({ needs: 'scan.run', on: scopeToInstance, action: 'test.scan' }, async (_: Actor, id: string) => id);
const look = verb({ needs: 'account.use', on: scopeToOwn }, async (_: Actor) => 'seen');
const refusal = (act: Promise<unknown>) => act.then(() => 'done').catch((error) => error.code);

async function refused() {
  const db = await getDb(undefined);
  const rows = db.selectFrom('audit').select(['actor_name', 'action', 'subject', 'instance_id', 'details']);
  return rows.where('outcome', '=', 'refused').execute();
}

let data: ReturnType<typeof temporaryData>;
beforeEach(async () => {
  data = temporaryData();
  for (const [id, tag] of [
    ['i1', 'shop'],
    ['i2', 'social'],
  ] as const) {
    const settings = InstanceSettings.parse({
      name: id,
      topology: 'standalone',
      endpoints: [{ host: '127.0.0.1', port: 6379 }],
      tags: [tag],
    });
    const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
    await insertInstanceRow({ id, settings, sealed, createdAt: 1, updatedAt: 1 });
  }
});
afterEach(() => data.remove());

describe('a verb', () => {
  it('keeps a refused attempt on record, and does nothing for it', async () => {
    await expect(atEveryInstance(VIEWER)).rejects.toMatchObject({
      code: 'forbidden',
      details: { needs: 'operator', has: 'viewer' },
    });
    expect(await atEveryInstance(LOCAL_ADMIN)).toBe('done');
    expect(await refused()).toEqual([
      { actor_name: 'vera', action: 'test.act', subject: 's', instance_id: null, details: '{"needs":"operator"}' },
    ]);
  });

  it('refuses whoever has not signed in, whatever role is claimed', async () => {
    for (const verb of [atEveryInstance, look])
      expect(await refusal(verb({ ...ANONYMOUS, role: 'admin' }))).toBe('sign_in_needed');
  });

  it('admits by a grant on that instance only, and tells nothing of others', async () => {
    expect(await refusal(scan(on('shop'), 'i1'))).toBe('done');
    expect(await refusal(scan(on('shop'), 'i2'))).toBe('not_found');
    expect(await refusal(scan(on('shop'), 'nothing'))).toBe('not_found');
    expect(await refusal(scan(VIEWER, 'i2'))).toBe('forbidden');
    expect((await refused()).map((row) => row.instance_id)).toEqual(['i2', 'nothing', 'i2']);
  });
});

it('lists show what is granted', async () => {
  const seen = async (actor: Actor) => {
    const sees = await createVisibilityFilter(actor);
    return ['i1', 'i2', null].filter(sees);
  };
  expect(await seen(VIEWER)).toEqual(['i1', 'i2', null]);
  expect(await seen(on('social'))).toEqual(['i2']);
  expect(await seen(GUEST)).toEqual([]);
});
