import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, sleep, startChild } from './process';

/** The production build as benchmarks and browser tests start it: a child process with a port and a data folder. */
export const PRODUCTION_SERVER = join(import.meta.dirname, '../../dist/colonnade.mjs');

/** The parent of its programs. */
export interface ServerChild extends Child {
  /** The process that serves pages, and those that run jobs. */
  programs(): { web: number; workers: number[] };
}

export function assertBuilt(server = PRODUCTION_SERVER): void {
  if (!existsSync(server)) throw new Error('There is no production build. Run npm run build first.');
}

/** Environment of a server on this machine; nobody signs in unless `more` says otherwise. */
const environment = (port: number, folder: string, more: Record<string, string>) => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: String(port),
  // As the image and the units start it.
  MALLOC_ARENA_MAX: '2',
  COLONNADE_DATA: folder,
  COLONNADE_SINGLE_USER: '1',
  ...more,
});

/** `logFile`: its whole output goes there instead of the memory of this process. */
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
    programs: () => programsOf(child.pid),
    kill(signal) {
      // What ends without a word ends whole, as when a machine stops.
      const children = signal === 'SIGKILL' ? childrenOf(child.pid) : [];
      for (const pid of [child.pid, ...children]) signalTo(pid, signal);
    },
  };
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

/** Where the system does not tell them, they end by themselves when their parent has. */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** A server with a role has no children and is the one or the other. */
function programsOf(pid: number): { web: number; workers: number[] } {
  const children = childrenOf(pid);
  const isWeb = (one: number) => readFileSync(`/proc/${one}/environ`, 'latin1').includes('\0COLONNADE_ROLE=web\0');
  return { web: children.find(isWeb) ?? pid, workers: children.filter((one) => !isWeb(one)) };
}

/** Waits until the server answers; throws when it ends before, or after `seconds`, with what it said. */
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
