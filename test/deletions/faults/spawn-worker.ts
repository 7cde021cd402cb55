import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { LATENCY_LIMITS } from '@/lib/redis/throttle/latency-probe';

/** Our side as a process of its own. In one file: it starts in half the time, and starts often. */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const bundled = new Map<WorkerName, Promise<string>>();
export type WorkerName = 'deletion-worker' | 'stallable-worker';

async function bundle(name: WorkerName): Promise<string> {
  // Beside the packages, which it finds from there.
  const outfile = `${root}/node_modules/.cache/${name}-${process.pid}.mjs`;
  const entry = `${root}/test/deletions/faults/${name}.ts`;
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
  process.once('exit', () => rmSync(outfile, { force: true }));
  return outfile;
}

/**
 * Carries out what is queued in this data folder, until it is ended or whoever started it is gone; as patient with a
 * server as this process.
 */
export async function spawnWorker(folder: string, name: WorkerName = 'deletion-worker'): Promise<ChildProcess> {
  const file = bundled.get(name) ?? bundle(name);
  bundled.set(name, file);
  const child = spawn(process.execPath, [await file, JSON.stringify(LATENCY_LIMITS)], {
    env: { ...process.env, COLONNADE_DATA: folder, NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // It may be killed before it reads.
  child.stdin?.on('error', () => {});
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The worker ended before it began: ${code ?? signal}`);
  });
  // Later ends are nobody's concern here.
  ended.catch(() => {});
  await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended]);
  return child;
}

/** Says a word to it and waits until it says that it heard. */
export async function sayTo({ stdin, stdout }: ChildProcess, word: string): Promise<void> {
  const heard = new Promise<void>((resolve) => {
    const listen = (text: Buffer) => {
      if (!text.toString().includes(`${word}\n`)) return;
      stdout?.off('data', listen);
      resolve();
    };
    stdout?.on('data', listen);
  });
  stdin?.write(`${word}\n`);
  await heard;
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Without a chance to say anything; resolves when it is gone. */
export async function killWorker(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (!hasEnded(child)) await once(child, 'exit');
}

/** As an operator ends it: what it runs reaches a safe point. */
export async function endWorker(child: ChildProcess): Promise<void> {
  const exit = hasEnded(child) ? null : once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
  if (child.exitCode !== 0) throw new Error(`The worker ended with ${child.exitCode ?? child.signalCode}`);
}
