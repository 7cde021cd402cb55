import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate file system in memory, to simulate a full disk or one that refuses writes. */
export interface SmallDisk {
  dir: string;
  /** Fills the disk until `leave` bytes are free. */
  fill(leave?: number): void;
  /** Remounts the whole file system read-only, as a kernel does after disk errors; `rw` ends it. */
  remount(as: 'ro' | 'rw'): void;
  remove(): void;
}

/** Why no small disk can be mounted on this machine; null = it can. A test that is skipped for it shows the reason. */
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
        // Others have used the free space meanwhile, so the disk is as full as it should be.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC' || leave > 0) throw error;
      }
    },
    // Files that are open for writing prevent a read-only remount of a file system, but not of a bind mount of it.
    remount: (as) => void run('mount', '-o', `remount,bind,${as}`, dir),
    remove() {
      run('umount', '-l', dir);
      rmdirSync(dir);
    },
  };
}
