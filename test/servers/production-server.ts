import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, sleep, startChild } from './process';

/** The production build as benchmarks and browser tests start it: a child process with a port and a data folder. */
export const PRODUCTION_SERVER = join(import.meta.dirname, '../../.next/standalone/server.js');

export function assertBuilt(server = PRODUCTION_SERVER): void {
  if (!existsSync(server)) throw new Error('There is no production build. Run npm run build first.');
}

/** Environment of a server on this machine; nobody signs in unless `more` says otherwise. */
const environment = (port: number, folder: string, more: Record<string, string>) => ({
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
  HOST: '127.0.0.1',
  HOSTNAME: '127.0.0.1',
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
): Child {
  const { more = {}, server = PRODUCTION_SERVER, logFile, keepBytes } = options;
  const set = Object.entries(environment(port, folder, more)).map(([name, value]) => `${name}=${value}`);
  const run = [...set, process.execPath, server];
  if (logFile === undefined) return startChild('/usr/bin/env', run, folder, keepBytes);
  const shell = ['-c', 'log="$1"; shift; exec env "$@" >>"$log" 2>&1', 'sh', logFile];
  return startChild('/bin/sh', [...shell, ...run], import.meta.dirname);
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
