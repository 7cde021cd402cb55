import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { config } from '@/lib/runtime/config';
import { sweepSnapshots } from '@/lib/scans/sweep-snapshots';
import { lockFolder } from '@/lib/snapshots/folder/folder-lock';
import { getSpillFolder } from '@/lib/snapshots/query/spill-folder';
import { commandFile } from '@/test/servers/command-file';
import { freshFolder, scanOnce, scanWhole } from '../scans/scan';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour } from '../servers/seed';
import { temporaryData } from '../temporary-data';

/** Runs a function between two steps of taking a lock. */
const beforeRename = vi.hoisted(() => ({ once: null as (() => Promise<unknown>) | null }));
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  const rename: typeof fs.rename = async (from, to) => {
    const act = beforeRename.once;
    beforeRename.once = null;
    await act?.();
    return fs.rename(from, to);
  };
  return { ...fs, rename };
});

const KEYS = 120_000;
let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
  await pour(
    server.client(),
    Array.from({ length: KEYS }, (_, i) => ['SET', `key:${i}`, 'x']),
  );
});
afterAll(() => server.stop());

/** Runs the command in a separate process; `--out` may be absent. */
function command(args: string[], onChild: (child: ReturnType<typeof spawn>) => void = () => {}, env = {}) {
  const child = spawn(process.execPath, [commandFile(), 'scan', server.url, ...args], {
    env: { ...process.env, ...env },
  });
  let err = '';
  child.stderr.on('data', (data) => {
    err += data;
  });
  onChild(child);
  return new Promise<{ code: number | null; err: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, err })),
  );
}

describe('two scans into one folder', () => {
  it('are one: the second is refused and says who holds it, the first is whole', async () => {
    const dir = freshFolder();
    let second: Promise<unknown> | null = null;
    const { manifest, rows } = await scanWhole([server], {
      dir,
      onReport: () => {
        second ??= scanOnce([server], { dir }).then(
          () => 'went through',
          (error) => error,
        );
      },
    });
    expect(await second).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    expect(manifest.keys).toBe(KEYS);
    expect(new Set(rows.map((row) => row.k)).size).toBe(KEYS);
    expect(existsSync(join(dir, 'writer.lock'))).toBe(false);
  });

  it('know a lock whose process is gone, also when its number was given again', async () => {
    const dir = freshFolder();
    await lockFolder(dir);
    const left = JSON.parse(readFileSync(join(dir, 'writer.lock'), 'utf8'));
    for (const stale of [
      { ...left, pid: 2 ** 22 + 1 },
      { ...left, processStart: '1' },
      { ...left, boot: 'before the last start' },
    ]) {
      writeFileSync(join(dir, 'writer.lock'), JSON.stringify(stale));
      const lock = await lockFolder(dir);
      await lock.check();
      await lock.release();
    }
    // The lock is from another machine, whose process cannot be checked from here: it updates its lock while it lives.
    writeFileSync(join(dir, 'writer.lock'), JSON.stringify({ ...left, host: 'elsewhere' }));
    await expect(lockFolder(dir)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('get one lock when many take over a dead one at once', async () => {
    const dir = freshFolder();
    await lockFolder(dir);
    const left = JSON.parse(readFileSync(join(dir, 'writer.lock'), 'utf8'));
    writeFileSync(join(dir, 'writer.lock'), JSON.stringify({ ...left, pid: 2 ** 22 + 1 }));
    const tried = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(dir)));
    const locks = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const holding = await Promise.allSettled(locks.map((lock) => lock.check()));
    expect(holding.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  });
});

it('a lock that was taken between the look at a dead one and its removal stays with whoever took it', async () => {
  const dir = freshFolder();
  await lockFolder(dir);
  const left = JSON.parse(readFileSync(join(dir, 'writer.lock'), 'utf8'));
  writeFileSync(join(dir, 'writer.lock'), JSON.stringify({ ...left, pid: 2 ** 22 + 1 }));
  let first: ReturnType<typeof lockFolder> | null = null;
  beforeRename.once = () => {
    first = lockFolder(dir);
    return first;
  };
  await expect(lockFolder(dir)).rejects.toMatchObject({ code: 'conflict' });
  const lock = await (first as unknown as ReturnType<typeof lockFolder>);
  await lock.check();
  // A process that has lost its lock notices that before its next write.
  await lockFolder(dir, { force: true });
  await expect(lock.check()).rejects.toMatchObject({ code: 'conflict' });
});

describe('a second server on one data folder', () => {
  const data = temporaryData();
  afterAll(() => data.remove());

  it('leaves alone what the first one spills and scans', async () => {
    const scanning = join(config.dataDir, 'snapshots', 'scanning1');
    mkdirSync(scanning, { recursive: true });
    const lock = await lockFolder(scanning);
    const spill = await getSpillFolder(scanning);
    writeFileSync(join(spill, 'spilled'), 'x');
    await sweepSnapshots();
    expect(existsSync(join(spill, 'spilled'))).toBe(true);
    expect(existsSync(scanning)).toBe(true);
    // The spill folder is created like that of a second process: locked folders stay, the folder of a dead process is
    // deleted.
    const dead = join(dirname(spill), 'dead');
    mkdirSync(dead);
    for (const folder of [spill, dead]) utimesSync(folder, 1, 1);
    Reflect.deleteProperty(globalThis, Symbol.for('colonnade.spill-folders'));
    expect(await getSpillFolder(scanning)).not.toBe(spill);
    expect([existsSync(join(spill, 'spilled')), existsSync(dead)]).toEqual([true, false]);
    await lock.release();
    await sweepSnapshots();
    expect(existsSync(scanning)).toBe(false);
    expect(existsSync(join(spill, 'spilled'))).toBe(true);
  });
});

describe('the command', () => {
  it('needs nothing beside the folder of its snapshot', async () => {
    const parent = freshFolder();
    const dir = join(parent, 'snapshot');
    mkdirSync(dir, { mode: 0o700 });
    const temporary = freshFolder();
    // Another user has created this folder first.
    mkdirSync(join(temporary, '.duckdb-tmp'));
    chmodSync(join(temporary, '.duckdb-tmp'), 0);
    const [kept, unkept] = await Promise.all([
      command(['--speed', 'fast', '--out', dir]),
      command(['--speed', 'fast', '--json'], undefined, { TMPDIR: temporary }),
    ]);
    expect(kept).toMatchObject({ code: 0 });
    expect(unkept).toMatchObject({ code: 0 });
    expect(readdirSync(parent)).toEqual(['snapshot']);
    expect(readdirSync(temporary).filter((name) => !name.startsWith('tsx'))).toEqual(['.duckdb-tmp']);
    expect(readdirSync(join(temporary, '.duckdb-tmp'))).toEqual([]);
  });

  it('that is interrupted while it seals says so, and continues', async () => {
    const interrupted = (dir: string) =>
      command(['--speed', 'fast', '--out', dir], (child) => {
        const looking = setInterval(() => {
          const seals = existsSync(dir) && readdirSync(dir).some((name) => /^keys-0000\..*tmp$/.test(name));
          if (seals || readingDone(dir)) {
            clearInterval(looking);
            child.kill('SIGINT');
          }
        }, 1);
        child.once('close', () => clearInterval(looking));
      });
    let dir = freshFolder();
    let ended = await interrupted(dir);
    // If this process was suspended meanwhile, the command has already finished, so another one is started.
    for (let again = 0; again < 4 && ended.code === 0; again++) {
      dir = freshFolder();
      ended = await interrupted(dir);
    }
    expect(ended.code).toBe(4);
    expect(existsSync(join(dir, 'snapshot.json'))).toBe(true);
    const { manifest, rows } = await scanWhole([server], { dir, input: { name: server.address } });
    expect(manifest).toMatchObject({ state: 'sealed', keys: KEYS });
    expect(rows).toHaveLength(KEYS);
  });
});

function readingDone(dir: string): boolean {
  try {
    return JSON.parse(readFileSync(join(dir, 'checkpoint.json'), 'utf8')).state.readingDone;
  } catch {
    return false;
  }
}
