import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, sleep, startChild } from './process';

/** The production build as benchmarks and browser tests start it: a child process with a port and a data folder. */
export const PRODUCTION_SERVER = join(import.meta.dirname, '../../dist/colonnade.mjs');

/** The parent of the web and worker processes. */
export interface ServerChild extends Child {
  /** Returns the ids of the process that serves pages and of those that run jobs. */
  programs(): { web: number; workers: number[] };
}

export function assertBuilt(server = PRODUCTION_SERVER): void {
  if (!existsSync(server)) throw new Error('There is no production build. Run npm run build first.');
}

/** Environment of a server on this machine, without sign-in unless `more` changes that. */
const environment = (port: number, folder: string, more: Record<string, string>) => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: String(port),
  // The image and the units set this too.
  MALLOC_ARENA_MAX: '2',
  COLONNADE_DATA: folder,
  COLONNADE_SINGLE_USER: '1',
  ...more,
});

/** With `logFile` the whole output goes to that file instead of the memory of this process. */
export function startServer(
  port: number,
  folder: string,
  options: { more?: Record<string, string>; server?: string; logFile?: string; keepBytes?: number } = {},
): ServerChild {
  const { more = {}, server = PRODUCTION_SERVER, logFile, keepBytes } = options;
  const set = Object.entries(environment(port, folder, more)).map(([name, value]) => `${name}=${value}`);
  const run = [...set, process.execPath, server, 'serve'];
  const shell = ['-c', 'log="$1"; shift; exec env "$@" >>"$log" 2>&1', 'sh', logFile ?? ''];
  const child =
    logFile === undefined
      ? startChild('/usr/bin/env', run, folder, keepBytes)
      : startChild('/bin/sh', [...shell, ...run], import.meta.dirname);
  return {
    ...child,
    programs: () => findPrograms(child.pid),
    kill(signal) {
      // SIGKILL is sent to the children too, so that everything ends at once, as when a machine stops.
      const children = signal === 'SIGKILL' ? findChildren(child.pid) : [];
      for (const pid of [child.pid, ...children]) signalTo(pid, signal);
    },
  };
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}

/**
 * Returns the ids of the children; none where the system does not list them: there they end by themselves after their
 * parent.
 */
function findChildren(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** A server with a role has no children; it is itself the web process or the worker. */
function findPrograms(pid: number): { web: number; workers: number[] } {
  const children = findChildren(pid);
  const isWeb = (one: number) => readFileSync(`/proc/${one}/environ`, 'latin1').includes('\0COLONNADE_ROLE=web\0');
  return { web: children.find(isWeb) ?? pid, workers: children.filter((one) => !isWeb(one)) };
}

/**
 * Waits until the server answers. Throws an error with its output if it ends first or does not answer within `seconds`.
 */
export async function untilHealthy(
  child: Child,
  port: number,
  seconds = 60,
  said = () => child.output(),
): Promise<void> {
  let code: number | null | undefined;
  void child.exited.then((value) => {
    code = value;
  });
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(50)) {
    if (code !== undefined) throw new Error(`The server ended with ${code}:\n${said().slice(-4000)}`);
    const up = await fetch(`http://127.0.0.1:${port}/api/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (up) return;
  }
  throw new Error(`The server did not answer:\n${said().slice(-4000)}`);
}
