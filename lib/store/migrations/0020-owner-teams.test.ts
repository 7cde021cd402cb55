import { afterEach, beforeEach, expect, it } from 'vitest';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { listOwners } from '@/lib/policies/owners';
import { closeStore } from '@/lib/store/open-store';
import { listTeams } from '@/lib/users/teams/list-teams';
import { storeUpTo } from '@/test/store-up-to';
import { temporaryData } from '@/test/temporary-data';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData({ emptyDatabase: true });
});
afterEach(() => data.remove());

/** As the version before left it. */
const before = (owners: readonly string[], teams: readonly (readonly [id: string, name: string])[] = []) =>
  storeUpTo('0019-write-password', async (db) => {
    for (const [at, team] of owners.entries())
      await db
        .insertInto('owners')
        .values({ id: `o${at}`, instance_id: null, prefix: `p${at}:`, team })
        .execute();
    for (const [id, name] of teams)
      await db.insertInto('teams').values({ id, name, name_key: name.toLowerCase(), created_at: 1 }).execute();
  });
const shown = async () =>
  (await listTeams(LOCAL_ADMIN)).map(({ name, members, grants }) => [name, members?.length, grants?.length]);

it('makes one team of each name that owns a prefix, with nobody in it and nothing granted', async () => {
  await before(['wiki', 'Shop', 'wiki', '购物 车', 'x'.repeat(80)]);
  const made = ['Shop', 'wiki', 'x'.repeat(80), '购物 车'];
  expect(await shown()).toEqual(made.map((name) => [name, 0, 0]));
  // Once: what an administrator removes stays removed.
  await closeStore();
  expect(await shown()).toHaveLength(4);
  expect((await listOwners(LOCAL_ADMIN, null)).map(({ team }) => team)).toEqual([
    'wiki',
    'Shop',
    'wiki',
    '购物 车',
    'x'.repeat(80),
  ]);
});

it('leaves a team that is there as it is, and takes names that differ in case or width for one', async () => {
  await before(['shop', 'SHOP', 'ｗｉｋｉ', 'Wiki', 'carts'], [['t1', 'Carts']]);
  expect((await shown()).map(([name]) => String(name).normalize('NFKC').toLowerCase())).toEqual([
    'carts',
    'shop',
    'wiki',
  ]);
  const [carts] = await listTeams(LOCAL_ADMIN);
  expect(carts).toMatchObject({ id: 't1', name: 'Carts' });
});

it('makes none of a name that no team may have, nor where nothing is owned', async () => {
  await before(['a\u0007b', 'left\u202Eright']);
  expect(await shown()).toEqual([]);
});
