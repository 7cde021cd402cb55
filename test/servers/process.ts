import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Real redis-servers as children of a test process. None of them outlives it: an exit hook ends them, and where no hook
 * can run (kill -9, a crash) a watchdog shell does, because its stdin, a pipe from this process, reaches its end.
 */
let binary: string | undefined;

/** Returns the path of redis-server or valkey-server; if there is none, throws an error that says what to install. */
export function serverBinary(): string {
  if (binary) return binary;
  for (const name of ['redis-server', 'valkey-server']) {
    try {
      binary = execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
      if (binary) return binary;
    } catch {
      // not on PATH: try the next one
    }
  }
  throw new Error(
    'These tests need a real Redis server: neither redis-server nor valkey-server is on PATH. ' +
      'Install one: Debian/Ubuntu `apt-get install redis-server`, Fedora `dnf install valkey`, macOS `brew install redis`.',
  );
}

const children = new Set<ChildProcess>();
const folders = new Set<string>();
let watchdog: ChildProcess | undefined;

function endAll() {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

const WATCH = `trap '' INT TERM HUP
pids=''; dirs=''
while read -r op value; do
  case $op in
    +) pids="$pids $value ";;
    -) pids=$(printf '%s' "$pids" | sed "s/ $value / /");;
    d) dirs="$dirs $value";;
  esac
done
[ -n "$pids" ] && kill -9 $pids 2>/dev/null
[ -n "$dirs" ] && rm -rf $dirs
exit 0`;

function tellWatchdog(line: string) {
  if (!watchdog) {
    process.once('exit', endAll);
    watchdog = spawn('/bin/sh', ['-c', WATCH], { stdio: ['pipe', 'ignore', 'ignore'] });
    watchdog.on('error', () => undefined);
    watchdog.stdin?.on('error', () => undefined);
    // Neither the process nor the pipe may keep the test process alive.
    watchdog.unref();
    (watchdog.stdin as unknown as { unref?: () => void })?.unref?.();
  }
  watchdog.stdin?.write(`${line}\n`);
}

export function temporaryFolder(name = 'colonnade-test-'): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  folders.add(folder);
  tellWatchdog(`d ${folder}`);
  return folder;
}

export function removeFolder(folder: string) {
  folders.delete(folder);
  rmSync(folder, { recursive: true, force: true });
}

export interface Child {
  pid: number;
  output: () => string;
  exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** `keepBytes`: how many bytes `output` keeps of the latest output. */
export function startChild(command: string, args: string[], cwd: string, keepBytes = 16_384): Child {
  // Node would pass a missing argument as the text `undefined`, which would then become the name of a folder.
  if (args.some((arg) => typeof arg !== 'string')) throw new Error(`An argument of ${command} is missing.`);
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: false });
  const pid = child.pid;
  let text = '';
  const keep = (chunk: Buffer) => {
    text = (text + chunk.toString('latin1')).slice(-keepBytes);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  children.add(child);
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', (code) => {
      children.delete(child);
      if (pid) tellWatchdog(`- ${pid}`);
      resolve(code);
    });
  });
  if (!pid) throw new Error(`Could not start ${command}`);
  tellWatchdog(`+ ${pid}`);
  return { pid, output: () => text, exited, kill: (signal) => void child.kill(signal) };
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Returns a loopback port whose +10000 (the cluster bus) is free too, below the range of ephemeral ports. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 2000; attempt++) {
    const port = 11_000 + Math.floor(Math.random() * 11_000);
    if (claimPort(port) && (await isFree(port)) && (await isFree(port + 10_000))) return port;
  }
  throw new Error('No free loopback port found');
}

/**
 * Reserves a port. No two servers of a test run get the same port: a client that still tries to reach the first one
 * would connect to the second, whose test counts keys and connections.
 */
function claimPort(port: number): boolean {
  const folder = process.env.COLONNADE_TESTS_IN;
  if (!folder) return true;
  try {
    mkdirSync(join(folder, `port-${port}`));
    return true;
  } catch {
    return false;
  }
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Polls until `check` is true; throws with `what` after `timeoutMs`. */
export async function until(what: string, check: () => Promise<boolean>, timeoutMs = 60_000, everyMs = 25) {
  const end = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      if (await check()) return;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`Timed out waiting for ${what}${last ? `: ${String(last)}` : ''}`);
    await sleep(everyMs);
  }
}

/** Returns true if something accepts TCP connections there. */
export function accepts(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 1000 });
    const end = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
