import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { migrate } from '@/lib/store/migrate';
import { openMoveTarget } from '@/lib/store/move/open-move-target';
import { closeStore, storeFile } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { moveStore } from '@/lib/store-move/move-store';
import { addUser } from '@/lib/users/add-user';
import { listUsers } from '@/lib/users/list-users';
import { LONG } from '@/test/long-form.mjs';
import { placeOlderStore } from '@/test/older-stores/open-older-store';
import { sqlByHand } from '@/test/sql-by-hand';
import { dumpPostgres } from '@/test/store-dump';
import { storeUpTo } from '@/test/store-up-to';
import { temporaryData } from '@/test/temporary-data';
import { parsePostgresUrl } from './postgres-url';

let data: ReturnType<typeof temporaryData>;
let folder: string;
let url: string;
const clients: pg.Client[] = [];
beforeEach(() => {
  data = temporaryData();
  folder = join(data.dir, 'before-migration');
  url = process.env.COLONNADE_DATABASE_URL as string;
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await closeStore();
  process.env.COLONNADE_DATABASE_URL = url;
  await data.remove();
});

/** As the version before teams left it. */
const makeOld = () =>
  storeUpTo('0017-identities', async (db) => {
    await db.insertInto('settings').values({ name: 'a', value: 'of before' }).execute();
  });
const copies = () => (existsSync(folder) ? readdirSync(folder).toSorted() : []);

async function connected(): Promise<pg.Client> {
  const { schema, display: _, ...where } = parsePostgresUrl(url);
  const client = new pg.Client({ ...where, options: `-c search_path=${schema}` });
  await client.connect();
  clients.push(client);
  return client;
}
async function stepsDone(): Promise<string[]> {
  const { rows } = await (await connected()).query('select name from migrations order by name');
  return rows.map(({ name }) => name);
}

/** Somebody else at the same database, in a transaction of their own. */
async function inTransaction(sql: string): Promise<pg.Client> {
  const client = await connected();
  await client.query('begin');
  await client.query(sql);
  return client;
}

describe('before a migration of PostgreSQL', () => {
  it('a copy is kept in the data folder: one file, whole, for its owner only, of the older version', async () => {
    const { rows } = await placeOlderStore('0015-destinations');
    expect(await getSetting('nothing')).toBeNull();
    const [name, ...others] = copies();
    expect(others).toEqual([]);
    expect(name).toMatch(/^colonnade-0015-\d{4}-\d{8}T\d{9}Z\.db$/);
    expect(statSync(join(folder, name!)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const raw = new Database(join(folder, name!), { readonly: true });
    expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
    const steps = raw.prepare('select name from migrations order by name').pluck().all();
    expect(steps.at(-1)).toBe('0015-destinations');
    for (const [table, then] of Object.entries(rows))
      expect([table, raw.prepare(`select * from ${table}`).all()]).toEqual([table, expect.arrayContaining(then)]);
    raw.close();
    expect((await stepsDone()).length).toBeGreaterThan(steps.length);
  });

  it('none of one that is new, or has nothing due', async () => {
    await setSetting('a', 'b');
    await closeStore();
    expect(await getSetting('a')).toBe('b');
    expect(copies()).toEqual([]);
  });

  it('the newest three are kept', async () => {
    mkdirSync(folder, { recursive: true });
    for (const year of ['2021', '2022', '2023', '2024'])
      writeFileSync(join(folder, `colonnade-0016-0017-${year}0101T000000000Z.db`), '');
    await makeOld();
    await getSetting('a');
    expect(copies()).toEqual([
      'colonnade-0016-0017-20230101T000000000Z.db',
      'colonnade-0016-0017-20240101T000000000Z.db',
      expect.stringMatching(/^colonnade-0017-/),
    ]);
  });

  it('of several processes that start at once one copies and migrates, and the others find it done', async () => {
    await makeOld();
    const address = parsePostgresUrl(url);
    const stores = Array.from({ length: 4 }, () => openMoveTarget(address));
    await Promise.all(stores.map((db) => migrate(db, address.schema)));
    await Promise.all(stores.map((db) => db.destroy()));
    expect(copies()).toHaveLength(1);
    expect(await getSetting('a')).toBe('of before');
  });

  it('a migration that fails keeps none', async () => {
    await makeOld();
    await sqlByHand('create view team_members as select 1 as x');
    for (const _try of [1, 2]) await expect(getSetting('a')).rejects.toThrow('team_members');
    expect(copies()).toEqual([]);
    expect((await stepsDone()).at(-1)).toBe('0017-identities');
  });

  it('without a place for it nothing is migrated, and a sentence says what to do', async () => {
    await makeOld();
    writeFileSync(folder, 'a file stands here');
    await expect(getSetting('a')).rejects.toMatchObject({
      code: 'data_folder',
      message: expect.stringContaining('Nothing was migrated.'),
    });
    expect((await stepsDone()).at(-1)).toBe('0017-identities');
  });

  it('one that takes long does not lose its lock, and whoever starts meanwhile waits for it', async () => {
    await makeOld();
    const slow = await inTransaction('lock table settings in access exclusive mode');
    const address = parsePostgresUrl(url);
    const stores = [openMoveTarget(address), openMoveTarget(address)];
    const starts = stores.map((db) => migrate(db, address.schema));
    // In the long form, longer than an idle transaction is suffered, or a row's lock waited for by the second start.
    await new Promise((resolve) => setTimeout(resolve, LONG ? 10_000 : 1500));
    expect((await stepsDone()).at(-1)).toBe('0017-identities');
    await slow.query('commit');
    await Promise.all(starts);
    await Promise.all(stores.map((db) => db.destroy()));
    expect(copies()).toHaveLength(1);
  });

  it('a start waits longer for another one that migrates than for rows', async () => {
    await makeOld();
    const other = await inTransaction("select pg_advisory_xact_lock(hashtext('colonnade migrations'))");
    const start = getSetting('a');
    // In the long form longer than a row is waited for, in the short one until it surely waits.
    await new Promise((resolve) => setTimeout(resolve, LONG ? 16_500 : 1500));
    await other.query('commit');
    expect(await start).toBe('of before');
  });

  it('leads back: the copy moves into an empty database, with everything that was there', async () => {
    await addUser(LOCAL_ADMIN, { name: 'ada', role: 'admin', grants: [] });
    await setSetting('a', 'of before');
    const before = await dumpPostgres(url);
    await closeStore();
    await sqlByHand("delete from migrations where name = '0020-owner-teams'");
    expect(await getSetting('a')).toBe('of before');
    await setSetting('a', 'since');
    await closeStore();
    renameSync(join(folder, copies()[0]!), storeFile());
    process.env.COLONNADE_DATABASE_URL = url.replace(/schema=\w+/, (schema) => `${schema}_2`);
    await moveStore(LOCAL_ADMIN, () => {});
    expect(await getSetting('a')).toBe('of before');
    expect((await listUsers(LOCAL_ADMIN)).map(({ name }) => name)).toEqual(['ada']);
    const after = await dumpPostgres(process.env.COLONNADE_DATABASE_URL);
    for (const table of ['users', 'one_time_links']) expect(after?.[table]).toEqual(before?.[table]);
  });
});
