import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, expect, it } from 'vitest';
import { closeStore, storeFile } from '@/lib/store/open-store';
import { getSetting } from '@/lib/store/settings/settings';
import { storeUpTo } from '../store-up-to';
import { makeSmallDisk, noSmallDisk } from './small-disk';

const missing = noSmallDisk();
beforeEach(() => {
  if (missing !== null) throw new Error(missing);
});

it('a disk without room for the copy before a migration: nothing is migrated, and it goes on when there is', async () => {
  const disk = makeSmallDisk(4);
  const dataDir = process.env.COLONNADE_DATA;
  process.env.COLONNADE_DATA = disk.dir;
  try {
    await storeUpTo('0017-identities', async (db) => {
      await db
        .insertInto('settings')
        .values({ name: 'a', value: 'x'.repeat(900_000) })
        .execute();
    });
    const raw = new Database(storeFile());
    const due = () => raw.prepare("select count(*) from migrations where name >= '0018'").pluck().get();
    disk.fill(300_000);
    await expect(getSetting('a')).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/no room for the copy .* Nothing was migrated\. Free space/),
    });
    expect(due()).toBe(0);
    expect(readdirSync(join(disk.dir, 'before-migration'))).toEqual([]);
    rmSync(join(disk.dir, 'filler'));
    expect(await getSetting('a')).toHaveLength(900_000);
    expect(due()).toBeGreaterThan(0);
    raw.close();
    expect(readdirSync(join(disk.dir, 'before-migration'))).toHaveLength(1);
  } finally {
    await closeStore();
    process.env.COLONNADE_DATA = dataDir;
    disk.remove();
  }
});
