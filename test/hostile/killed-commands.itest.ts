import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordAudit } from '@/lib/access/audit/record';
import { verifyAudit } from '@/lib/access/audit/verify-audit';
import { seal, unseal } from '@/lib/access/vault/seal';
import { forgetVaultKeys, getVaultRing } from '@/lib/access/vault/vault-key';
import { readKeyStatus } from '@/lib/maintenance/keys/key-status';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { closeStore, getDb, getStoreFile, runTransaction } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { LONG } from '../long-form.mjs';
import { commandFile } from '../servers/command-file';
import { sleep } from '../servers/process';
import { temporaryData } from '../temporary-data';

/**
 * The commands that rewrite the essential files of Colonnade are ended by `kill -9` at random moments: a half-written
 * result is never accepted, nothing is lost, and the same command can be repeated.
 */
let data: ReturnType<typeof temporaryData>;

beforeEach(() => {
  data = temporaryData();
});
afterEach(async () => {
  process.env.COLONNADE_DATA = data.dir;
  await data.remove();
  for (const dir of [`${data.dir}.out`, `${data.dir}.new`]) rmSync(dir, { recursive: true, force: true });
});

function start(...args: string[]): ChildProcess {
  const env = { ...process.env, NODE_OPTIONS: '' };
  return spawn(process.execPath, [commandFile(), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}
async function whole(...args: string[]): Promise<string> {
  const child = start(...args);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (piece) => {
      text += piece;
    });
  const [code] = await once(child, 'close');
  expect([code, text]).toEqual([0, text]);
  return text;
}
/** Kills the command `ms` after `hasBegun`; false if it had finished before. */
async function killed(args: string[], hasBegun: () => boolean, ms: number): Promise<boolean> {
  const child = start(...args);
  const exit = once(child, 'exit');
  let isOver = false;
  exit.then(() => {
    isOver = true;
  });
  for (const until = Date.now() + 60_000; !isOver && !hasBegun(); await sleep(1))
    expect(Date.now()).toBeLessThan(until);
  if (!isOver) await sleep(ms);
  child.kill('SIGKILL');
  const [, signal] = await exit;
  return signal === 'SIGKILL';
}
/**
 * Kills first at once after the beginning and then at random moments, until `times` attempts hit the middle. How long
 * the command takes depends on the machine.
 */
async function cutOff(times: number, withinMs: number, attempt: (ms: number) => Promise<boolean>): Promise<void> {
  for (let done = 0, tries = 0; done < times; tries++) {
    expect(tries).toBeLessThan(40);
    if (await attempt(tries === 0 ? 0 : Math.random() * withinMs)) done++;
  }
}
const stamp = (file: string) => (existsSync(file) ? `${statSync(file).ino} ${statSync(file).mtimeMs}` : '');
const act = () => runTransaction((tx) => recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.act', subject: 's' }));

const SEALED = LONG ? 6_000 : 1_500;
const place = (id: string) => ({ table: 'instances' as const, id, field: 'password' });
async function seedSealed(): Promise<void> {
  await act();
  await runTransaction(async (tx) => {
    for (let i = 0; i < SEALED; i++) {
      const id = `i${i}`;
      const row = {
        id,
        name: id,
        settings: '{}',
        created_at: 1,
        updated_at: 1,
        password: seal(`pass-${i}`, place(id)),
      };
      await tx.insertInto('instances').values(row).execute();
    }
  });
}
async function allOpens(): Promise<void> {
  forgetVaultKeys();
  const rows = await (await getDb(undefined)).selectFrom('instances').select(['id', 'password']).execute();
  expect(rows).toHaveLength(SEALED);
  for (const { id, password } of rows) if (unseal(password!, place(id)) !== `pass-${id.slice(1)}`) throw new Error(id);
  expect(await verifyAudit()).toMatchObject({ ok: true, firstBad: null });
}

it('keys rotate: everything opens, the trail verifies, and it goes on', async () => {
  await seedSealed();
  const key = join(data.dir, 'vault.key');
  await cutOff(LONG ? 5 : 2, LONG ? 300 : 75, async (ms) => {
    await closeStore();
    const was = stamp(key);
    const database = stamp(`${getStoreFile()}-wal`);
    const begun = () => stamp(key) !== was || stamp(`${getStoreFile()}-wal`) !== database;
    const isCut = await killed(['keys', 'rotate'], begun, ms);
    await allOpens();
    await act();
    return isCut;
  });
  await closeStore();
  await whole('keys', 'rotate');
  await whole('keys', 'rotate');
  await allOpens();
  const { keys } = await readKeyStatus();
  expect(keys.filter(({ sealed }) => sealed > 0)).toMatchObject([{ state: 'seals', sealed: SEALED }]);
  expect(readdirSync(data.dir).filter((name) => /^vault\.key\./.test(name)).length).toBeLessThanOrEqual(5);
}, 300_000);

it('keys rotate, by several at once: no key that has sealed or signed is lost', async () => {
  await act();
  await closeStore();
  for (let round = 0; round < (LONG ? 3 : 1); round++)
    await Promise.all(Array.from({ length: 4 }, () => whole('keys', 'rotate')));
  forgetVaultKeys();
  const rows = (await getDb(undefined)).selectFrom('audit').select('subject').where('action', '=', 'keys.rotate');
  const kids = getVaultRing().map(({ kid }) => kid);
  for (const { subject } of await rows.execute()) expect(kids).toContain(subject);
  expect(await verifyAudit()).toMatchObject({ ok: true, firstBad: null });
}, 300_000);

const LARGE = LONG ? 20 : 8;
const ARCHIVES = 200;
const ARCHIVE_BYTES = LONG ? 100_000 : 20_000;

/** Creates a database of some size, and archives. */
async function seedFiles(): Promise<void> {
  for (let i = 0; i < ARCHIVES; i++) {
    mkdirSync(join(data.dir, `archives/d${i}`), { recursive: true });
    writeFileSync(join(data.dir, `archives/d${i}/1-aaaaaaaaaaaa.arc`), Buffer.alloc(ARCHIVE_BYTES, i));
  }
  for (let i = 0; i < LARGE; i++) await setSetting(`large-${i}`, 'x'.repeat(1_000_000));
  await act();
  await closeStore();
}

it('backup: half a one is none, and what it copies stays whole', async () => {
  await seedFiles();
  const out = `${data.dir}.out`;
  await cutOff(LONG ? 3 : 1, 200, async (ms) => {
    rmSync(out, { recursive: true, force: true });
    if (!(await killed(['backup', out, '--with', 'archives'], () => existsSync(join(out, 'colonnade.db')), ms)))
      return false;
    if (existsSync(join(out, 'manifest.json'))) return false;
    process.env.COLONNADE_DATA = `${data.dir}.new`;
    const refused = start('restore', out);
    expect((await once(refused, 'exit'))[0]).toBe(5);
    expect(existsSync(`${data.dir}.new`)).toBe(false);
    process.env.COLONNADE_DATA = data.dir;
    // A backup is never written into what an interrupted one left.
    expect((await once(start('backup', out), 'exit'))[0]).toBe(5);
    return true;
  });
  expect(await verifyAudit()).toMatchObject({ ok: true });
}, 300_000);

it('restore: no server starts on half a one, and the same command finishes it', async () => {
  await seedFiles();
  const out = `${data.dir}.out`;
  await whole('backup', out, '--with', 'archives,key');
  const fresh = `${data.dir}.new`;
  process.env.COLONNADE_DATA = fresh;
  await cutOff(LONG ? 4 : 1, 250, async (ms) => {
    const begun = () => existsSync(join(fresh, 'restore-unfinished'));
    if (!(await killed(['restore', out], begun, ms))) rmSync(fresh, { recursive: true });
    if (!begun()) return false;
    await expect(getSetting('large-0')).rejects.toMatchObject({ code: 'data_folder' });
    return true;
  });
  if (!existsSync(join(fresh, 'colonnade.db')) || existsSync(join(fresh, 'restore-unfinished')))
    await whole('restore', out);
  expect(await getSetting(`large-${LARGE - 1}`)).toHaveLength(1_000_000);
  expect(await verifyAudit()).toMatchObject({ ok: true });
  for (let i = 0; i < ARCHIVES; i++)
    expect(readFileSync(join(fresh, `archives/d${i}/1-aaaaaaaaaaaa.arc`)).equals(Buffer.alloc(ARCHIVE_BYTES, i))).toBe(
      true,
    );
  expect(
    readdirSync(fresh, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('restoring')),
  ).toEqual([]);
  await closeStore();
}, 300_000);
