import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeStore, getStoreFile, runTransaction } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { temporaryData } from '@/test/temporary-data';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

describe('transactions', () => {
  it('wait for those of another process instead of failing or losing a step', async () => {
    await setSetting('n', '0');
    const script = `
      const db = new (require('better-sqlite3'))(process.argv[1], { timeout: 5000 });
      const step = db.transaction(() => {
        const { value } = db.prepare("select value from settings where name = 'n'").get();
        db.prepare("update settings set value = ? where name = 'n'").run(String(Number(value) + 1));
      });
      for (let i = 0; i < 100; i++) step.immediate();`;
    const other = spawn(process.execPath, ['-e', script, getStoreFile()], { stdio: ['ignore', 'ignore', 'inherit'] });
    const ended = once(other, 'exit');
    for (let i = 0; i < 100; i++)
      await runTransaction(async (tx) => {
        await setSetting('n', String(Number(await getSetting('n', tx)) + 1), tx);
      });
    expect(await ended).toEqual([0, null]);
    expect(await getSetting('n')).toBe('200');
  });
});

describe('while another process holds the write lock', () => {
  const hold = () => {
    const other = new Database(getStoreFile());
    other.exec('begin immediate');
    return { letGo: () => other.exec('rollback'), close: () => other.close() };
  };

  it('what only reads is answered, and nothing stops this thread; a write goes on when the lock is free', async () => {
    await setSetting('a', 'before');
    const lock = hold();
    const writes = [
      setSetting('a', 'after'),
      runTransaction((tx) => setSetting('b', 'in a transaction', tx)),
      runTransaction((tx) => setSetting('c', 'behind it', tx)),
    ];
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await getSetting('a')).toBe('before');
    lock.letGo();
    await Promise.all(writes);
    expect([await getSetting('a'), await getSetting('b'), await getSetting('c')]).toEqual([
      'after',
      'in a transaction',
      'behind it',
    ]);
    lock.close();
  });

  it('a write gives up after five seconds, with nothing changed; then all is well again', async () => {
    await setSetting('a', 'before');
    const lock = hold();
    await expect(runTransaction((tx) => setSetting('a', 'lost', tx))).rejects.toMatchObject({ code: 'data_locked' });
    lock.close();
    expect(await getSetting('a')).toBe('before');
    await setSetting('a', 'after');
    expect(await getSetting('a')).toBe('after');
  });
});

describe('what reads beside a transaction of this process', () => {
  it('sees what was before, at once, and afterwards what it left', async () => {
    await setSetting('a', 'before');
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let writing: Promise<void> | undefined;
    await new Promise<void>((hasWritten) => {
      writing = runTransaction(async (tx) => {
        await setSetting('a', 'after', tx);
        expect(await getSetting('a', tx)).toBe('after');
        hasWritten();
        await held;
      });
    });
    expect(await getSetting('a')).toBe('before');
    finish();
    await writing;
    expect(await getSetting('a')).toBe('after');
  });

  it('sees nothing of one that failed, and the next one has its turn', async () => {
    await setSetting('a', 'before');
    const failing = runTransaction(async (tx) => {
      await setSetting('a', 'undone', tx);
      throw new Error('no');
    });
    const next = runTransaction((tx) => setSetting('b', 'after', tx));
    await expect(failing).rejects.toThrow('no');
    await next;
    expect([await getSetting('a'), await getSetting('b')]).toEqual(['before', 'after']);
  });
});

describe('the file', () => {
  it('is for its owner only, with all that SQLite lays beside it', async () => {
    await setSetting('a', 'b');
    for (const name of ['colonnade.db', 'colonnade.db-wal', 'colonnade.db-shm'])
      expect([name, statSync(join(data.dir, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  it('of another version is not touched', async () => {
    await setSetting('a', 'b');
    await closeStore();
    const raw = new Database(getStoreFile());
    raw.exec("insert into migrations values ('9999-from-the-future', 1)");
    raw.close();
    await expect(getSetting('a')).rejects.toMatchObject({
      code: 'data_folder',
      message: expect.stringMatching(
        /another version of Colonnade \(9999-from-the-future\): start that version, or name an empty/,
      ),
    });
  });

  it('that is damaged, or a folder that is none, is told with what to do', async () => {
    writeFileSync(getStoreFile(), 'this is not a database, and long enough to be read as one'.repeat(50));
    await expect(getSetting('a')).rejects.toMatchObject({
      code: 'data_folder',
      message: expect.stringContaining('damaged'),
    });
    process.env.COLONNADE_DATA = join(getStoreFile(), 'below-a-file');
    await expect(getSetting('a')).rejects.toMatchObject({
      code: 'data_folder',
      details: { folder: expect.any(String) },
    });
    process.env.COLONNADE_DATA = data.dir;
  });

  it('on a full disk says so, and goes on when there is room again', async () => {
    await setSetting('a', 'b');
    const { max, restore } = await limitPages();
    await expect(setSetting('big', 'x'.repeat(max * 2))).rejects.toMatchObject({
      code: 'store_read_only',
      message: expect.stringContaining('its disk is full'),
    });
    expect(await getSetting('a')).toBe('b');
    await restore();
    await setSetting('big', 'x'.repeat(max * 2));
  });

  it('that may only be read is told with what to do', async () => {
    const { sql } = await import('kysely');
    const { getDb } = await import('@/lib/store/open-store');
    await setSetting('a', 'b');
    // File permissions do not restrict the superuser, as whom tests may run. This pragma gives the same error.
    await sql.raw('pragma query_only = on').execute(await getDb(undefined));
    await expect(setSetting('a', 'c')).rejects.toMatchObject({
      code: 'store_read_only',
      message: expect.stringContaining('cannot be written'),
    });
  });
});

/** A page limit of SQLite replaces a full disk: it gives the same error without filling the machine. */
async function limitPages(): Promise<{ max: number; restore(): Promise<void> }> {
  const { sql } = await import('kysely');
  const { getDb } = await import('@/lib/store/open-store');
  const db = await getDb(undefined);
  const pages = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  const count = pages.rows[0]!.page_count;
  await sql.raw(`pragma max_page_count = ${count + 4}`).execute(db);
  return {
    max: 40_000,
    restore: async () => {
      await sql.raw('pragma max_page_count = 1000000').execute(db);
    },
  };
}
