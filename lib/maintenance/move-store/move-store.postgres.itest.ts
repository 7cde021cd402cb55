import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyAudit } from '@/lib/access/audit/verify-audit';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { findSessionActor } from '@/lib/access/auth/sessions';
import { openTarget } from '@/lib/access/credentials/open-target';
import { addUser } from '@/lib/access/users/manage-users';
import { useLink as openLink } from '@/lib/access/users/use-link';
import { registerInstance } from '@/lib/instances/register-instance';
import { createJob } from '@/lib/jobs/create-job';
import { pauseJob } from '@/lib/jobs/pause-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { InstanceInput } from '@/lib/model/servers/instance';
import { addOwner } from '@/lib/policies/owners';
import { generateId } from '@/lib/store/generate-id';
import { getStoredJob, updateJob } from '@/lib/store/jobs';
import { closeStore, getStoreFile } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { insertSnapshot } from '@/lib/store/snapshots';
import { openStand } from '@/test/deletions/stand';
import { LONG } from '@/test/long-form.mjs';
import { commandFile } from '@/test/servers/command-file';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { sqlByHand } from '@/test/sql-by-hand';
import { dumpPostgres, dumpSqlite } from '@/test/store-dump';
import { temporaryData } from '@/test/temporary-data';
import { moveStore } from './move-store';

let redis: RedisServer;
let data: ReturnType<typeof temporaryData>;
let url: string;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => {
  data = temporaryData();
  url = process.env.COLONNADE_DATABASE_URL as string;
  embedded();
});
afterEach(async () => {
  await closeStore();
  process.env.COLONNADE_DATABASE_URL = url;
  await data.remove();
});

const embedded = () => {
  delete process.env.COLONNADE_DATABASE_URL;
};
const postgres = (other = url) => {
  process.env.COLONNADE_DATABASE_URL = other;
};
const move = async () => {
  await closeStore();
  postgres();
  return moveStore(LOCAL_ADMIN, () => {});
};
const catchError = (act: Promise<unknown>) =>
  act.then(
    () => {
      throw new Error('It was done.');
    },
    (error) => error,
  );
const toy = { kind: 'toy', instanceId: null, instanceName: null, speed: 'gentle' as const, params: { name: 'a\0b' } };

/** Fills a data folder as after some weeks of use, by calling verbs. */
async function fill() {
  const { user, link } = await addUser(LOCAL_ADMIN, {
    name: 'ada',
    role: 'admin',
    grants: [{ kind: 'tag', value: 'ünï "x"', role: 'operator' }],
  });
  const token = await openLink(
    { token: link.token, password: 'correct horse battery' },
    { address: '::1', agent: 'a' },
  );
  await addUser(LOCAL_ADMIN, { name: 'invited', role: 'viewer', grants: [] });
  const input = { name: 'orders', topology: 'standalone', endpoints: [{ host: '10.0.0.5', port: 6379 }] };
  const instance = await registerInstance(
    LOCAL_ADMIN,
    InstanceInput.parse({ ...input, secrets: { password: 'canary-7' } }),
  );
  await addOwner(LOCAL_ADMIN, { instanceId: instance.id, prefix: 'a:b', team: 'orders' });
  const job = await createJob(LOCAL_ADMIN, toy);
  await updateJob(job.id, {
    state: 'failed',
    checkpoint: { cursor: '18446744073709551615', names: ['\u0000', '\ud800', '𝄞', '\\u0000'] },
    endedAt: Number.MAX_SAFE_INTEGER,
  });
  await insertSnapshot({
    id: generateId(),
    instanceId: instance.id,
    jobId: job.id,
    state: 'sealed',
    startedAt: 1,
    endedAt: null,
    keys: 9_007_199_254_740_991,
    bytes: 5_000_000_000,
    bigkeys: 0,
    noExpiryKeys: null,
    partial: true,
    fileBytes: null,
    score: 99.25,
    mandatoryKeys: 0,
    recommendedKeys: 1,
    adviceKeys: null,
    policyHash: null,
  });
  return { user, token, instance, job };
}

describe('everything arrives', () => {
  it('as it was: people and sessions, sealed passwords, jobs, bytes, booleans, big numbers, the audit log', async () => {
    const { token, instance, job } = await fill();
    const client = redis.client();
    await client.flushall();
    const key = Buffer.from([0xff, 0x00, 0x27, 0x5c, 0x30]);
    await client.rpush(key, 'one', 'two', 'three');
    const stand = await openStand(redis);
    const deletion = await stand.plan([{ name: key, type: 'list', length: 3 }], { mode: 'archive' });
    await stand.until(await stand.start(deletion), ['succeeded']);
    await stand.close();
    expect(await client.exists(key)).toBe(0);

    const { rows } = await move();
    expect(rows).toMatchObject({ users: 2, sessions: 1, grants: 1, one_time_links: 1, deletion_items: 1, owners: 1 });
    const [before, after] = [dumpSqlite(getStoreFile()), await dumpPostgres(url)];
    for (const table of Object.keys(before).filter((name) => name !== 'audit' && name !== 'settings'))
      expect([table, after?.[table]]).toEqual([table, before[table]]);
    expect(after?.audit?.length).toBe(before.audit!.length + 1);
    expect(before.audit!.filter((row) => !after?.audit?.includes(row))).toEqual([]);

    expect(await verifyAudit()).toMatchObject({ ok: true, rows: before.audit!.length + 1 });
    expect((await listAudit(LOCAL_ADMIN)).rows[0]).toMatchObject({ action: 'store.move' });
    expect(await findSessionActor(token, { via: 'page', use: false, now: Date.now() })).toMatchObject({ name: 'ada' });
    expect((await openTarget(instance.id)).password?.reveal()).toBe('canary-7');
    expect((await getStoredJob(job.id))?.params).toEqual({ name: 'a\0b' });

    // The key is restored from the archive in the data folder, by its record in PostgreSQL.
    const again = await openStand(redis, { name: 'again' });
    await again.until(await again.start(deletion, 'undo'), ['succeeded']);
    await again.close();
    expect(await client.lrange(key, 0, -1)).toEqual(['one', 'two', 'three']);
  });

  it('in batches, also 30,000 items', async () => {
    await setSetting('a', 'b');
    await closeStore();
    const file = new Database(getStoreFile());
    file.exec(`with recursive n(i) as (select 0 union all select i + 1 from n where i < 29999)
      insert into deletion_items (deletion_id, seq, name, db, slot, state, facts)
      select 'd', i, cast('key:' || i as blob), 0, 0, 'done', '{}' from n`);
    file.close();
    postgres();
    const seen: number[] = [];
    const { rows } = await moveStore(
      LOCAL_ADMIN,
      ({ table, done }) => void (table === 'deletion_items' && seen.push(done)),
    );
    expect(rows?.deletion_items).toBe(30_000);
    expect(seen.length).toBeGreaterThan(10);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect((await dumpPostgres(url))?.deletion_items).toEqual(dumpSqlite(getStoreFile()).deletion_items);
  });
});

describe('there are never two worlds', () => {
  it('a server on the folder that was moved says so', async () => {
    await setSetting('a', 'b');
    await move();
    expect(await getSetting('a')).toBe('b');
    await closeStore();
    embedded();
    const error = await catchError(getSetting('a'));
    expect(error).toMatchObject({ code: 'data_folder' });
    expect(error.message).toMatch(
      /was moved to PostgreSQL \(127\.0\.0\.1:\d+\/postgres.*COLONNADE_DATABASE_URL to that database/,
    );
    await expect(setSetting('a', 'c')).rejects.toMatchObject({ code: 'data_folder' });
  });

  it('called twice it tells that it was done; another target is refused', async () => {
    await setSetting('a', 'b');
    await move();
    expect(await move()).toMatchObject({ rows: null });
    postgres(url.replace(/schema=\w+/, 'schema=another'));
    const error = await catchError(moveStore(LOCAL_ADMIN, () => {}));
    expect(error).toMatchObject({ code: 'conflict', message: expect.stringContaining('Name that one') });
  });

  it('ended between the commit and the last mark it is finished by the next call; ended before it begins anew', async () => {
    await setSetting('a', 'b');
    await move();
    mark('moving');
    embedded();
    expect((await catchError(getSetting('a'))).message).toContain('Finish it with: colonnade store move');
    expect(await move()).toMatchObject({ rows: null });
    embedded();
    expect((await catchError(getSetting('a'))).message).toContain('was moved to');
    // The file is marked and the target is empty: the commit never happened.
    mark('moving');
    postgres();
    await sqlByHand(`drop schema ${/schema=(\w+)/.exec(url)?.[1]} cascade`);
    expect((await move()).rows).toMatchObject({ settings: 1 });
  });

  it('what was moved and then lost is not taken for a new target', async () => {
    await setSetting('a', 'b');
    await move();
    await sqlByHand(`drop schema ${/schema=(\w+)/.exec(url)?.[1]} cascade`);
    expect(await catchError(move())).toMatchObject({ code: 'conflict', message: expect.stringContaining('Restore') });
  });

  it('kill -9 at any moment leaves nothing or everything', async () => {
    await fill();
    await closeStore();
    const file = new Database(getStoreFile());
    file.exec(`with recursive n(i) as (select 0 union all select i + 1 from n where i < 59999)
      insert into deletion_items (deletion_id, seq, name, db, slot, state, facts)
      select 'd', i, cast('key:' || i as blob), 0, 0, 'done', '{}' from n`);
    file.close();
    const before = dumpSqlite(getStoreFile());
    for (const table of LONG ? ['users', 'jobs', 'deletion_items', 'audit'] : ['deletion_items']) {
      const code = await killedAt(table);
      expect(code).toBeNull();
      // When its connection ends, its open transaction is rolled back.
      await expect.poll(() => dumpPostgres(url), { timeout: 60_000 }).toBeNull();
      expect(dumpSqlite(getStoreFile())).toEqual(before);
    }
    expect((await move()).rows).toMatchObject({ deletion_items: 60_000 });
    expect((await dumpPostgres(url))?.deletion_items).toEqual(before.deletion_items);
  }, 600_000);
});

describe('it refuses, and says what to do,', () => {
  beforeEach(() => setSetting('a', 'b'));

  it('while a server has the file open', async () => {
    const { pid } = await holder();
    const error = await catchError(move());
    process.kill(pid, 'SIGKILL');
    expect(error).toMatchObject({ code: 'data_locked', message: expect.stringContaining('Stop the server') });
    expect(await dumpPostgres(url)).toBeNull();
  });

  it('while a job is active; a paused one moves', async () => {
    const { id } = await createJob(LOCAL_ADMIN, toy);
    expect(await catchError(move())).toMatchObject({ code: 'job_running', message: expect.stringContaining('pause') });
    expect(await dumpPostgres(url)).toBeNull();
    embedded();
    await pauseJob(LOCAL_ADMIN, id);
    expect((await move()).rows).toMatchObject({ jobs: 1 });
  });

  it('a target that holds rows, and leaves it as it was', async () => {
    await closeStore();
    postgres();
    await setSetting('theirs', 'x');
    await closeStore();
    const before = await dumpPostgres(url);
    const error = await catchError(move());
    expect(error).toMatchObject({
      code: 'database_refused',
      message: expect.stringMatching(/not empty.*settings.*\?schema=/),
    });
    expect(await dumpPostgres(url)).toEqual(before);
    embedded();
    expect(await getSetting('a')).toBe('b');
  });

  it('tables of another program', async () => {
    const schema = /schema=(\w+)/.exec(url)?.[1];
    await closeStore();
    postgres();
    await sqlByHand(`create schema ${schema}`, `create table ${schema}.users (id integer)`);
    expect(await catchError(move())).toMatchObject({
      message: expect.stringContaining('tables of another program (users)'),
    });
  });

  it('a target of another version', async () => {
    await closeStore();
    postgres();
    await getSetting('makes the tables');
    await closeStore();
    await sqlByHand("insert into migrations values ('9999-from-the-future', 1)");
    expect(await catchError(move())).toMatchObject({ message: expect.stringContaining('another version') });
  });

  it('a wrong address, a missing setting, a missing file', async () => {
    await closeStore();
    embedded();
    expect(await catchError(moveStore(LOCAL_ADMIN, () => {}))).toMatchObject({ code: 'bad_request' });
    postgres(url.replace(/:\d+\//, ':1/'));
    expect(await catchError(moveStore(LOCAL_ADMIN, () => {}))).toMatchObject({ code: 'database_unreachable' });
    postgres('postgres://nobody');
    expect((await catchError(moveStore(LOCAL_ADMIN, () => {}))).message).toContain('COLONNADE_DATABASE_URL');
    embedded();
    expect(await getSetting('a')).toBe('b');
    await closeStore();
    rmSync(getStoreFile());
    expect(await catchError(move())).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('COLONNADE_DATA'),
    });
  });

  it('an audit log that does not hold, or a foreign key', async () => {
    await createJob(LOCAL_ADMIN, toy).then(({ id }) => pauseJob(LOCAL_ADMIN, id));
    process.env.COLONNADE_KEY = 'q7Zr2Lk9Xw4TnB8vYc1MfHd6JpSg3EaU';
    const error = await catchError(move());
    delete process.env.COLONNADE_KEY;
    expect(error).toMatchObject({ code: 'conflict', message: expect.stringContaining('other_key') });
    expect(await dumpPostgres(url)).toBeNull();
  });
});

/** Marks the file as if the move had been interrupted at that point. */
function mark(state: 'moving'): void {
  const file = new Database(getStoreFile());
  file.exec(`update migrations set name = replace(name, 'moved [', '${state} [')`);
  file.close();
}

/** Runs the command in a separate process, which is killed when it reports this table. */
async function killedAt(table: string): Promise<number | null> {
  const child = spawn(process.execPath, [commandFile(), 'store', 'move'], {
    env: { ...process.env, COLONNADE_DATABASE_URL: url, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
    if (said.includes(`${table}:`)) child.kill('SIGKILL');
  });
  const [code] = await exit;
  return code;
}

/** Starts another process that has the database open and does nothing, like an idle server. */
async function holder(): Promise<{ pid: number }> {
  const script = `const db = new (require('better-sqlite3'))(process.argv[1]);
    db.prepare('select 1 from settings').all(); console.log('open'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', script, getStoreFile()], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return { pid: child.pid as number };
}
