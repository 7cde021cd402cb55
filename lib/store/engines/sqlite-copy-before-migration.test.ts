import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeStore, storeFile } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { storeUpTo } from '@/test/store-up-to';
import { temporaryData } from '@/test/temporary-data';

let data: ReturnType<typeof temporaryData>;
let folder: string;
beforeEach(() => {
  data = temporaryData();
  folder = join(data.dir, 'before-migration');
});
afterEach(() => data.remove());

/** As the version before teams left it. */
async function makeOld(also = ''): Promise<void> {
  await storeUpTo('0017-identities', async (db) => {
    await db.insertInto('settings').values({ name: 'a', value: 'of before' }).execute();
  });
  if (also !== '') byHand(also);
}
function byHand(sql: string): void {
  const raw = new Database(storeFile());
  raw.exec(sql);
  raw.close();
}
const copies = () => (existsSync(folder) ? readdirSync(folder).toSorted() : []);
const stepsOf = (file: string) => {
  const raw = new Database(file, { readonly: true });
  const names = raw.prepare('select name from migrations order by name').pluck().all() as string[];
  raw.close();
  return names;
};

describe('before a migration', () => {
  it('a copy is kept that is whole, for its owner only, and from before', async () => {
    await makeOld();
    expect(await getSetting('a')).toBe('of before');
    const [name, ...others] = copies();
    expect(others).toEqual([]);
    expect(name).toMatch(/^colonnade-0017-\d{4}-\d{8}T\d{9}Z\.db$/);
    expect(statSync(join(folder, name!)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const raw = new Database(join(folder, name!), { readonly: true });
    expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(raw.prepare("select value from settings where name = 'a'").pluck().get()).toBe('of before');
    raw.close();
    expect(stepsOf(join(folder, name!)).at(-1)).toBe('0017-identities');
  });

  it('none of a database that is new, or has nothing due', async () => {
    await setSetting('a', 'b');
    await closeStore();
    expect(await getSetting('a')).toBe('b');
    expect(copies()).toEqual([]);
  });

  it('the newest three are kept, also when the clock was set back, and what is not ours', async () => {
    mkdirSync(folder, { recursive: true });
    const years = ['2991', '2992', '2993', '2994'];
    for (const year of years) writeFileSync(join(folder, `colonnade-0016-0017-${year}0101T000000000Z.db`), '');
    writeFileSync(join(folder, 'mine.db'), '');
    await makeOld();
    await getSetting('a');
    const names = copies();
    expect(names).toContain('mine.db');
    expect(names.filter((name) => name.includes('-0016-0017-'))).toEqual([
      'colonnade-0016-0017-29930101T000000000Z.db',
      'colonnade-0016-0017-29940101T000000000Z.db',
    ]);
    expect(names.filter((name) => name.startsWith('colonnade-0017-'))).toHaveLength(1);
  });

  it('what a killed start left half written goes, and never has the name of a copy', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'colonnade-0017-0018-20200101T000000000Z.db.draft'), 'half');
    await makeOld();
    await getSetting('a');
    expect(copies()).toEqual([expect.stringMatching(/Z\.db$/)]);
  });

  it('a migration that fails keeps no copy, and leaves older ones and the database alone', async () => {
    mkdirSync(folder, { recursive: true });
    const older = ['1', '2', '3'].map((n) => `colonnade-0016-0017-202${n}0101T000000000Z.db`);
    for (const name of older) writeFileSync(join(folder, name), '');
    await makeOld('create table team_members (x);');
    for (const _try of [1, 2]) await expect(getSetting('a')).rejects.toThrow('team_members');
    expect(copies()).toEqual(older);
    expect(stepsOf(storeFile()).at(-1)).toBe('0017-identities');
  });

  it('without a place for the copy nothing is migrated, and a sentence says what to do', async () => {
    await makeOld();
    writeFileSync(folder, 'a file stands here');
    await expect(getSetting('a')).rejects.toMatchObject({
      code: 'data_folder',
      message: expect.stringContaining('Nothing was migrated.'),
    });
    expect(stepsOf(storeFile()).at(-1)).toBe('0017-identities');
  });
});
