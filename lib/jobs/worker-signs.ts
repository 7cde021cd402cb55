import { lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A worker without a sign for WORKER_SILENT_MS hangs; signs are written every WORKER_SIGN_MS. */
export const WORKER_SILENT_MS = 20_000;
export const WORKER_SIGN_MS = 5_000;

/** The last sign of a live worker process. */
interface WorkerSign {
  pid: number;
  agoMs: number;
}

/**
 * Workers listen on no port, so each writes a file named after its process number. The folder belongs to this user
 * alone and is in the temporary folder, which each container has for itself.
 */
const getSignFolder = (): string => join(tmpdir(), `colonnade-workers-${process.getuid?.() ?? 'here'}`);
export const getWorkerSignFile = (pid: number): string => join(getSignFolder(), String(pid));

/**
 * Creates the folder if it is missing. Throws if it belongs to another user, who could have placed links in it that
 * would be written to.
 */
export function makeSignFolder(): void {
  mkdirSync(getSignFolder(), { recursive: true, mode: 0o700 });
  const folder = lstatSync(getSignFolder());
  const isOwn = folder.isDirectory() && (process.getuid === undefined || folder.uid === process.getuid());
  if (!isOwn) throw new Error(`${getSignFolder()} belongs to somebody else.`);
}

/** Returns the signs of the live workers of this user that this process can see. */
export function readWorkerSigns(): WorkerSign[] {
  return listPids(getSignFolder()).flatMap((pid) => {
    const changedMs = statSync(getWorkerSignFile(pid), { throwIfNoEntry: false })?.mtimeMs;
    return changedMs !== undefined && isAlive(pid) ? [{ pid, agoMs: Math.max(0, Date.now() - changedMs) }] : [];
  });
}

function listPids(dir: string): number[] {
  try {
    return readdirSync(dir)
      .filter((name) => /^[1-9]\d*$/.test(name))
      .map(Number);
  } catch {
    // No worker has created the folder yet.
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process is alive and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
