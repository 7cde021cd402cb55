/**
 * A lock file that allows one writer per folder. The file names the process that holds it: its number, its start time
 * (because numbers are reused), and where that number is valid (host, boot, process namespace). The lock of a dead
 * process is recognised and taken over. If the holder runs on another host or in another namespace, it counts as alive
 * while it keeps touching the lock file.
 */

import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';

const LOCK_FILE = 'writer.lock';
/** A process on another host or in another namespace counts as dead when it has not touched its lock for this long. */
const UNSEEN_FOR_MS = 5 * 60_000;
/** How often a stale lock is replaced before the process gives up, because others take the lock each time. */
const MAX_TAKEOVERS = 5;

interface Owner {
  id: string;
  pid: number;
  /** Clock ticks after boot; null where the system does not report it. */
  processStart: string | null;
  host: string;
  boot: string | null;
  namespace: string | null;
  /** Epoch ms. */
  since: number;
}

export interface FolderLock {
  /** Throws `conflict` when another process has taken the folder. */
  check(): Promise<void>;
  release(): Promise<void>;
}

export interface LockOptions {
  /**
   * Takes the lock even if another process holds it, where something else than the lock decides which process may
   * write.
   */
  force?: boolean;
  /** File name of the lock, for work other than writing the snapshot. Default: `writer.lock`. */
  name?: string;
  /** Default: UNSEEN_FOR_MS. */
  unseenForMs?: number;
}

/** Takes the lock of a folder, and touches it ten times in `unseenForMs`. Errors: `conflict` (names the holder). */
export async function lockFolder(dir: string, options: LockOptions = {}): Promise<FolderLock> {
  const { force = false, name = LOCK_FILE, unseenForMs = UNSEEN_FOR_MS } = options;
  const file = getLockFile(dir, name);
  const mine: Owner = { id: randomBytes(8).toString('hex'), ...describeOwner(), since: Date.now() };
  const candidate = `${file}.${mine.id}`;
  await writeFile(candidate, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (let attempt = 0; !(await tryLink(candidate, file)); attempt++) {
      const holder = await readOwner(file);
      const isHeld = holder !== null && !force && (await isAlive(file, holder, unseenForMs));
      if (holder !== null && (isHeld || attempt > MAX_TAKEOVERS)) throw createLockedError(dir, holder);
      // Rename the stale lock first. If another process took the lock since it was read, that lock is linked again
      // under its name.
      const stale = `${candidate}.stale`;
      await rename(file, stale).catch(() => {});
      const moved = await readOwner(stale);
      if (!force && moved !== null && moved.id !== holder?.id) await tryLink(stale, file);
      await rm(stale, { force: true });
    }
  } finally {
    await rm(candidate, { force: true });
  }
  const ticker = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), unseenForMs / 10);
  ticker.unref();
  const check = async () => {
    const holder = await readOwner(file);
    if (holder?.id !== mine.id) throw createLockedError(dir, holder);
  };
  return {
    check,
    async release() {
      clearInterval(ticker);
      if ((await readOwner(file))?.id === mine.id) await rm(file, { force: true });
    },
  };
}

/** Whether a live process holds the writer lock of the folder. */
export async function isLocked(dir: string): Promise<boolean> {
  const file = getLockFile(dir, LOCK_FILE);
  const holder = await readOwner(file);
  return holder !== null && isAlive(file, holder, UNSEEN_FOR_MS);
}

/**
 * Returns the holder of a lock and the time of its last touch as one text. If the text stays the same for long, the
 * holder is dead or hangs. null: there is no lock.
 */
export async function readLockMark(dir: string, name: string): Promise<string | null> {
  const file = getLockFile(dir, name);
  const [holder, stats] = await Promise.all([readOwner(file), stat(file).catch(() => null)]);
  return holder === null || stats === null ? null : `${holder.id} ${stats.mtimeMs}`;
}

/** The comment in the call keeps the build from tracing every file below the project for this folder. */
const getLockFile = (dir: string, name: string) => path.join(/*turbopackIgnore: true*/ dir, name);

/** Creates a hard link, which appears complete or not at all and never replaces a file. false: `to` exists. */
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readOwner(file: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Owner;
  } catch {
    return null;
  }
}

async function isAlive(file: string, owner: Owner, unseenForMs: number): Promise<boolean> {
  const here = describeOwner();
  if (owner.host === here.host && owner.boot !== here.boot) return false;
  if (owner.host !== here.host || owner.namespace !== here.namespace) {
    const stats = await stat(file).catch(() => null);
    return stats !== null && Date.now() - stats.mtimeMs < unseenForMs;
  }
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return readProcessStart(owner.pid) === owner.processStart;
}

function describeOwner(): Omit<Owner, 'id' | 'since'> {
  const readOrNull = (read: () => string) => {
    try {
      return read().trim();
    } catch {
      return null;
    }
  };
  return {
    pid: process.pid,
    processStart: readProcessStart(process.pid),
    host: hostname(),
    boot: readOrNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    namespace: readOrNull(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/**
 * Start time of a process: the 22nd field of /proc/PID/stat. The second field may hold spaces and brackets, so fields
 * are counted after the last bracket. null: it cannot be read.
 */
function readProcessStart(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function createLockedError(dir: string, holder: Owner | null): AppError {
  const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}`;
  const since = holder === null ? '' : ` since ${new Date(holder.since).toISOString()}`;
  return new AppError(
    'conflict',
    `${dir} is written by ${who}${since}. Wait for it to end, or choose another folder.`,
    {
      dir,
      ...(holder !== null && { pid: holder.pid }),
    },
  );
}
