import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, expect, it, vi } from 'vitest';
import { lockFolder } from './folder-lock';
import { prepareOnce } from './prepare-once';

const dir = mkdtempSync(path.join(tmpdir(), 'prepare-once-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** Simulates another process on the folder, which shares only files. */
function prepared(name: string) {
  let made: string | null = null;
  const make = vi.fn(async () => {
    await sleep(50);
    made = name;
    return name;
  });
  const ask = (signal?: AbortSignal, unseenForMs?: number) =>
    prepareOnce(dir, {
      lock: `${name}.lock`,
      known: async () => made,
      make,
      signal,
      ...(unseenForMs && { unseenForMs }),
    });
  return { ask, make };
}

it('is made by one of all that ask at once, and by nobody once it is there', async () => {
  const { ask, make } = prepared('once');
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['once', 'once', 'once']);
  expect(await ask()).toBe('once');
  expect(make).toHaveBeenCalledOnce();
  expect(readdirSync(dir)).toEqual([]);
});

it('is made by the next where one fails, and nothing else waits for it', async () => {
  const { ask, make } = prepared('failing');
  make.mockRejectedValueOnce(new Error('no space'));
  const other = prepared('other').ask();
  const both = await Promise.allSettled([ask(), ask()]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await other).toBe('other');
  expect(make).toHaveBeenCalledTimes(2);
});

it('goes on where a process has died, and waits for one that lives until its own asker leaves', async () => {
  const owner = { id: 'x', pid: process.pid, processStart: '1', boot: null, namespace: null, since: 0 };
  writeFileSync(path.join(dir, 'dead.lock'), JSON.stringify({ ...owner, host: hostname() }));
  expect(await prepared('dead').ask()).toBe('dead');
  // The holder is on another host, and the lock was touched just now.
  writeFileSync(path.join(dir, 'lives.lock'), JSON.stringify({ ...owner, host: 'elsewhere' }));
  const { ask, make } = prepared('lives');
  await expect(ask(AbortSignal.timeout(400))).rejects.toThrow();
  expect(make).not.toHaveBeenCalled();
});

it('goes on where a process hangs, and where the clock of one that has died was ahead', async () => {
  const hung = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const started = readFileSync(`/proc/${hung.pid}/stat`, 'latin1').split(' ')[21];
  const here = await lockFolder(dir, { name: 'mine.lock' });
  const owner = { ...JSON.parse(readFileSync(path.join(dir, 'mine.lock'), 'utf8')), id: 'x' };
  await here.release();
  writeFileSync(path.join(dir, 'hangs.lock'), JSON.stringify({ ...owner, pid: hung.pid, processStart: started }));
  hung.kill('SIGSTOP');
  writeFileSync(path.join(dir, 'ahead.lock'), JSON.stringify({ ...owner, host: 'elsewhere' }));
  const ahead = new Date(Date.now() + 3_600_000);
  utimesSync(path.join(dir, 'ahead.lock'), ahead, ahead);
  const began = performance.now();
  expect(await Promise.all(['hangs', 'ahead'].map((name) => prepared(name).ask(undefined, 600)))).toEqual([
    'hangs',
    'ahead',
  ]);
  expect(performance.now() - began).toBeGreaterThan(600);
  hung.kill('SIGKILL');
});

it('waits for one that works, however long it takes', async () => {
  const { ask, make } = prepared('slow');
  make.mockImplementationOnce(() => sleep(1500, 'late'));
  const first = ask(undefined, 600);
  await sleep(100);
  const left = AbortSignal.timeout(1000);
  await expect(ask(left, 600)).rejects.toThrow();
  expect(await first).toBe('late');
  expect(make).toHaveBeenCalledOnce();
});

it('a command line that has nothing else to do waits, too', async () => {
  const owner = { id: 'x', pid: process.pid, processStart: null, boot: null, namespace: null, since: 0 };
  writeFileSync(path.join(dir, 'busy.lock'), JSON.stringify({ ...owner, host: 'elsewhere' }));
  const program = `
    import { prepareOnce } from './lib/snapshots/folder/prepare-once.ts';
    let looks = 0;
    const known = async () => (++looks < 4 ? null : 'there now');
    console.log(await prepareOnce(${JSON.stringify(dir)}, { lock: 'busy.lock', known, make: () => 'made' }));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    program,
  ]);
  expect(stdout).toBe('there now\n');
});

it('waits for one that lives where this process was frozen, which may have frozen that one too', async () => {
  const held = await lockFolder(dir, { name: 'frozen.lock' });
  const { ask, make } = prepared('frozen');
  const stop = new AbortController();
  const asked = ask(stop.signal).catch(() => 'left');
  await sleep(400);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 600_000);
  await sleep(800);
  vi.restoreAllMocks();
  stop.abort();
  expect(await asked).toBe('left');
  expect(make).not.toHaveBeenCalled();
  await held.release();
});
