import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordAudit } from '@/lib/access/audit/record';
import { verifyAudit } from '@/lib/access/audit/verify-audit';
import { openTarget } from '@/lib/access/credentials/open-target';
import { addUser, listUsers } from '@/lib/access/users/manage-users';
import { registerInstance } from '@/lib/instances/register-instance';
import { assertSameFolder } from '@/lib/jobs/assert-same-folder';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { InstanceInput } from '@/lib/model/servers/instance';
import { closeStore, runTransaction } from '@/lib/store/open-store';
import { RESTORING_FILE } from '@/lib/store/refuse-half-restored';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { commandFile } from '@/test/servers/command-file';
import { sqlByHand } from '@/test/sql-by-hand';
import { dumpPostgres, dumpSqlite } from '@/test/store-dump';
import { temporaryData } from '@/test/temporary-data';
import { backUp } from './back-up';
import { restoreBackup } from './restore-backup';

let data: ReturnType<typeof temporaryData>;
let url: string;
let target: string;
beforeEach(() => {
  data = temporaryData();
  url = process.env.COLONNADE_DATABASE_URL as string;
  target = join(data.dir, 'out', 'today');
});
afterEach(async () => {
  await closeStore();
  process.env.COLONNADE_DATABASE_URL = url;
  process.env.COLONNADE_DATA = data.dir;
  await data.remove();
});

/** Simulates another machine: an empty folder with the key, and another database. */
async function elsewhere(database: string | null): Promise<string> {
  await closeStore();
  const dir = join(data.dir, 'elsewhere');
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  writeFileSync(join(dir, 'vault.key'), readFileSync(join(data.dir, 'vault.key')), { mode: 0o600 });
  process.env.COLONNADE_DATA = dir;
  if (database === null) delete process.env.COLONNADE_DATABASE_URL;
  else process.env.COLONNADE_DATABASE_URL = database;
  return dir;
}
const other = () => url.replace(/schema=\w+/, (schema) => `${schema}_2`);
const restore = () => restoreBackup(target, { by: 'me', keepTokens: false });
const registered = async () => {
  const input = { name: 'orders', topology: 'standalone', endpoints: [{ host: '10.0.0.5', port: 6379 }] };
  return registerInstance(LOCAL_ADMIN, InstanceInput.parse({ ...input, secrets: { password: 'canary-7' } }));
};

describe('a backup of PostgreSQL', () => {
  it('is one moment of all tables while others write, and verifies', async () => {
    await assertSameFolder();
    const { id } = await registered();
    // Each writer changes two tables in one transaction.
    let isOver = false;
    const pair = async (writer: number) => {
      for (let i = 0; !isOver; i++)
        await runTransaction(async (tx) => {
          await recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.act', subject: `${writer}-${i}` });
          await setSetting(`pair-${writer}-${i}`, 'x', tx);
        });
    };
    const writing = Promise.all([0, 1, 2].map(pair));
    for (let round = 0; round < 5; round++) {
      rmSync(target, { recursive: true, force: true });
      await backUp(LOCAL_ADMIN, target, []);
      const { audit = [], settings = [] } = dumpSqlite(join(target, 'colonnade.db'));
      const acts = audit.filter((row) => row.includes('test.act')).length;
      expect(acts).toBeGreaterThan(0);
      expect(settings.filter((row) => row.includes('pair-')).length).toBe(acts);
    }
    isOver = true;
    await writing;
    expect(readdirSync(target).toSorted()).toEqual(['colonnade.db', 'manifest.json']);

    await elsewhere(null);
    expect(await restore()).toMatchObject({ audit: { ok: true } });
    expect(await verifyAudit()).toMatchObject({ ok: true });
    expect((await openTarget(id)).password?.reveal()).toBe('canary-7');
  });

  it.each([
    ['PostgreSQL', false],
    ['the embedded database', true],
  ])('comes back into PostgreSQL, from %s', async (_, fromFile) => {
    if (fromFile) await elsewhere(null).catch(() => {});
    if (fromFile) process.env.COLONNADE_DATA = data.dir;
    const { id } = await registered();
    await addUser(LOCAL_ADMIN, { name: 'ada', role: 'admin', grants: [] });
    if (!fromFile) await assertSameFolder();
    await backUp(LOCAL_ADMIN, target, []);
    const before = dumpSqlite(join(target, 'colonnade.db'));

    const dir = await elsewhere(other());
    expect(await restore()).toMatchObject({ audit: { ok: true }, ended: { links: 1 } });
    expect(
      readdirSync(dir)
        .toSorted()
        .filter((name) => /restor|\.db/.test(name)),
    ).toEqual([]);
    const after = await dumpPostgres(other());
    for (const table of ['audit', 'users', 'instances', 'jobs'])
      expect([table, after?.[table]]).toEqual([table, before[table]]);
    await assertSameFolder();
    expect(await verifyAudit()).toMatchObject({ ok: true });
    expect((await openTarget(id)).password?.reveal()).toBe('canary-7');
    expect((await listUsers(LOCAL_ADMIN)).map(({ name }) => name)).toEqual(['ada']);
    await setSetting('goes', 'on');
  });

  it('comes into no database that holds something, which stays as it was; nor is a file written', async () => {
    await setSetting('a', 'b');
    await backUp(LOCAL_ADMIN, target, []);
    const before = await dumpPostgres(url);
    const dir = await elsewhere(url);
    await expect(restore()).rejects.toMatchObject({
      code: 'database_refused',
      message: expect.stringContaining('not empty'),
    });
    expect(await dumpPostgres(url)).toEqual(before);
    expect(readdirSync(dir)).toEqual(['vault.key']);
  });

  it('ended between the last row and the last file, the same again finishes it', async () => {
    await setSetting('a', 'b');
    await backUp(LOCAL_ADMIN, target, []);
    const dir = await elsewhere(other());
    await restore();
    const id = await getSetting('moved_from');
    await closeStore();
    writeFileSync(join(dir, RESTORING_FILE), `${id}\n`);
    await expect(getSetting('a')).rejects.toMatchObject({ code: 'data_folder' });
    await restore();
    expect(await getSetting('a')).toBe('b');
  });

  it('ended by kill -9 in the middle, no server starts there, and the same again finishes it', async () => {
    for (let i = 0; i < 12; i++) await setSetting(`large-${i}`, 'x'.repeat(1_000_000));
    await backUp(LOCAL_ADMIN, target, []);
    const dir = await elsewhere(other());
    const begun = () => existsSync(join(dir, RESTORING_FILE));
    for (let cut = 0, tries = 0; cut < 3; tries++) {
      expect(tries).toBeLessThan(40);
      const args = [commandFile(), 'restore', target];
      const child = spawn(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' }, stdio: 'ignore' });
      const exit = once(child, 'exit');
      while (child.exitCode === null && !begun()) await new Promise((next) => setTimeout(next, 1));
      await new Promise((next) => setTimeout(next, Math.random() * 600));
      child.kill('SIGKILL');
      await exit;
      if (begun()) {
        cut++;
        await expect(getSetting('large-0')).rejects.toMatchObject({ code: 'data_folder' });
      } else {
        // The command ended before it was killed.
        await sqlByHand(`drop schema ${/schema=(\w+)/.exec(other())?.[1]} cascade`);
        await elsewhere(other());
      }
    }
    await restore();
    expect(await getSetting('large-11')).toHaveLength(1_000_000);
    expect(await verifyAudit()).toMatchObject({ ok: true });
  });

  it('is no backup when a table is there that nobody knows', async () => {
    await setSetting('a', 'b');
    await sqlByHand('create table of_tomorrow (id text)');
    await expect(backUp(LOCAL_ADMIN, target, [])).rejects.toMatchObject({
      code: 'unsupported',
      message: /of_tomorrow/,
    });
    expect(readdirSync(target)).not.toContain('manifest.json');
  });
});
