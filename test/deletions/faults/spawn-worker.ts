import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { LATENCY_LIMITS } from '@/lib/redis/throttle/latency-probe';
import { bundledProgram, WITH_PACKAGES } from '@/test/servers/bundled-program';

/** A separate process that runs deletions. */
export type WorkerName = 'deletion-worker' | 'stallable-worker';

/**
 * Runs the queued jobs of this data folder until it is ended or its parent has gone. It has the latency limits of this
 * process.
 */
export async function spawnWorker(folder: string, name: WorkerName = 'deletion-worker'): Promise<ChildProcess> {
  const file = await bundledProgram(`test/deletions/faults/${name}.ts`, WITH_PACKAGES);
  const child = spawn(process.execPath, [file, JSON.stringify(LATENCY_LIMITS)], {
    env: { ...process.env, COLONNADE_DATA: folder, NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // The process may be killed before it reads its input.
  child.stdin?.on('error', () => {});
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The worker ended before it began: ${code ?? signal}`);
  });
  // The process may end later without a failure of this test.
  ended.catch(() => {});
  await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended]);
  return child;
}

/** Sends a word to it and waits until it confirms. */
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

/** Kills it without a chance to clean up; resolves when it has ended. */
export async function killWorker(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (!hasEnded(child)) await once(child, 'exit');
}

/** Ends it as an operator does: its jobs reach a safe point first. */
export async function endWorker(child: ChildProcess): Promise<void> {
  const exit = hasEnded(child) ? null : once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
  if (child.exitCode !== 0) throw new Error(`The worker ended with ${child.exitCode ?? child.signalCode}`);
}
