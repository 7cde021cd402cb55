import { lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Who gave no sign for so long hangs; they come every `WORKER_SIGN_MS`. */
export const WORKER_SILENT_MS = 20_000;
export const WORKER_SIGN_MS = 5_000;

/** As it last showed; `pid` lives. */
export interface WorkerSign {
  pid: number;
  agoMs: number;
}

/**
 * Workers listen at no port, so each leaves a file that is named after it: in the temporary folder, which every
 * container has for itself, below a folder of this user alone.
 */
const folder = (): string => join(tmpdir(), `colonnade-workers-${process.getuid?.() ?? 'here'}`);
export const workerSignFile = (pid: number): string => join(folder(), String(pid));

/** Made when it is missing; throws when somebody else has made it, whose links would be written to. */
export function makeSignFolder(): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  const found = lstatSync(folder());
  const isOwn = found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid());
  if (!isOwn) throw new Error(`${folder()} belongs to somebody else.`);
}

/** Of the workers of this user that live and are seen from here. */
export function readWorkerSigns(): WorkerSign[] {
  return namesOf(folder()).flatMap((name) => {
    const pid = Number(name);
    const changed = statSync(workerSignFile(pid), { throwIfNoEntry: false })?.mtimeMs;
    return changed !== undefined && lives(pid) ? [{ pid, agoMs: Math.max(0, Date.now() - changed) }] : [];
  });
}

function namesOf(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => /^[1-9]\d*$/.test(name));
  } catch {
    return [];
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
