import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';

/**
 * One writer per folder. The lock is a file that names its process: number, start time (numbers are given again) and
 * where that number means something (host, boot, process namespace). What a dead process left is recognised and taken
 * over; of a process that cannot be seen from here, only whether it still touches its lock.
 */
const LOCK_FILE = 'writer.lock';
/** A process elsewhere that has not touched its lock for so long is gone. */
const UNSEEN_FOR_MS = 5 * 60_000;

interface Owner {
  id: string;
  pid: number;
  /** Clock ticks after boot; null where the system does not tell. */
  processStart: string | null;
  host: string;
  boot: string | null;
  namespace: string | null;
  since: number;
}

export interface FolderLock {
  /** Throws `conflict` when another process has taken the folder. */
  check(): Promise<void>;
  release(): Promise<void>;
}

export interface LockOptions {
  /** Takes it whoever holds it, where something else than the lock decides who writes. */
  force?: boolean;
  /** The name of another lock in the folder, of those who do something else. */
  name?: string;
  unseenForMs?: number;
}

/** Errors: `conflict` (names the holder). */
export async function lockFolder(dir: string, options: LockOptions = {}): Promise<FolderLock> {
  const { force = false, name = LOCK_FILE, unseenForMs = UNSEEN_FOR_MS } = options;
  // The comment keeps the build from tracing every file below the project for this folder.
  const file = path.join(/*turbopackIgnore: true*/ dir, name);
  const mine: Owner = { id: randomBytes(8).toString('hex'), ...whoAmI(), since: Date.now() };
  const candidate = `${file}.${mine.id}`;
  await writeFile(candidate, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (let attempt = 0; !(await created(candidate, file)); attempt++) {
      const holder = await readOwner(file);
      if (holder !== null && ((!force && (await isAlive(file, holder, unseenForMs))) || attempt > 5))
        throw held(dir, holder);
      // Moved away under a name of our own first: whoever locked in between is given it back.
      const stale = `${candidate}.stale`;
      await rename(file, stale).catch(() => {});
      const moved = await readOwner(stale);
      if (!force && moved !== null && moved.id !== holder?.id) await created(stale, file);
      await rm(stale, { force: true });
    }
  } finally {
    await rm(candidate, { force: true });
  }
  const ticker = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), unseenForMs / 10);
  ticker.unref();
  const check = async () => {
    const holder = await readOwner(file);
    if (holder?.id !== mine.id) throw held(dir, holder);
  };
  return {
    check,
    async release() {
      clearInterval(ticker);
      if ((await readOwner(file))?.id === mine.id) await rm(file, { force: true });
    },
  };
}

/** Somebody who lives holds the folder. */
export async function isLocked(dir: string): Promise<boolean> {
  const file = path.join(dir, LOCK_FILE);
  const holder = await readOwner(file);
  return holder !== null && isAlive(file, holder, UNSEEN_FOR_MS);
}

/** Who holds a lock, and when it was touched last: while it stays the same, nobody does. null: nobody holds it. */
export async function lockMark(dir: string, name: string): Promise<string | null> {
  // The comment keeps the build from tracing every file below the project for this folder.
  const file = path.join(/*turbopackIgnore: true*/ dir, name);
  const [holder, touched] = await Promise.all([readOwner(file), stat(file).catch(() => null)]);
  return holder === null || touched === null ? null : `${holder.id} ${touched.mtimeMs}`;
}

/** A hard link appears whole or not at all, and never over another. */
async function created(from: string, to: string): Promise<boolean> {
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
  const here = whoAmI();
  if (owner.host === here.host && owner.boot !== here.boot) return false;
  if (owner.host !== here.host || owner.namespace !== here.namespace) {
    const touched = await stat(file).catch(() => null);
    return touched !== null && Date.now() - touched.mtimeMs < unseenForMs;
  }
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return startOf(owner.pid) === owner.processStart;
}

function whoAmI(): Omit<Owner, 'id' | 'since'> {
  const quiet = (read: () => string) => {
    try {
      return read().trim();
    } catch {
      return null;
    }
  };
  return {
    pid: process.pid,
    processStart: startOf(process.pid),
    host: hostname(),
    boot: quiet(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    namespace: quiet(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/** The 22nd field of /proc/PID/stat; the second one may hold spaces and brackets. */
function startOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function held(dir: string, holder: Owner | null): AppError {
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
