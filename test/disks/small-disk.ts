import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own in memory, for what a full or refusing disk does. */
export interface SmallDisk {
  dir: string;
  /** Leaves so many bytes. */
  fill(leave?: number): void;
  /** Of the whole file system, as a kernel does after errors of the disk; `rw` ends it. */
  remount(as: 'ro' | 'rw'): void;
  remove(): void;
}

/** Why there can be none here; null = there can. Whoever skips a test for it says so. */
export function noSmallDisk(): string | null {
  if (process.platform !== 'linux') return 'a small file system can be mounted on Linux only';
  try {
    makeSmallDisk(1).remove();
    return null;
  } catch (error) {
    return `mounting a tmpfs needs root with CAP_SYS_ADMIN: ${String(error).split('\n')[0]}`;
  }
}

export function makeSmallDisk(mebibytes: number): SmallDisk {
  const dir = mkdtempSync(join(tmpdir(), 'colonnade-disk-'));
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=700`, 'colonnade-test', dir);
  } catch (error) {
    rmdirSync(dir);
    throw error;
  }
  return {
    dir,
    fill(leave = 0) {
      const { bavail, bsize } = statfsSync(dir);
      try {
        writeFileSync(join(dir, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - leave), 1));
      } catch (error) {
        // What was free a moment ago others have written to meanwhile: it is as full as it was to be.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC' || leave > 0) throw error;
      }
    },
    // Files that are open for writing keep a file system from becoming read-only; a bind mount of it is not kept.
    remount: (as) => void run('mount', '-o', `remount,bind,${as}`, dir),
    remove() {
      run('umount', '-l', dir);
      rmdirSync(dir);
    },
  };
}
