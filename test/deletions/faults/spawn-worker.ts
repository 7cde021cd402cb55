import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { LATENCY_LIMITS } from '@/lib/redis/throttle/latency-probe';
import { bundledProgram, WITH_PACKAGES } from '@/test/servers/bundled-program';

/** Our side as a process of its own. */
export type WorkerName = 'deletion-worker' | 'stallable-worker';

/**
 * Carries out what is queued in this data folder, until it is ended or whoever started it is gone; as patient with a
 * server as this process.
 */
export async function spawnWorker(folder: string, name: WorkerName = 'deletion-worker'): Promise<ChildProcess> {
  const file = await bundledProgram(`test/deletions/faults/${name}.ts`, WITH_PACKAGES);
  const child = spawn(process.execPath, [file, JSON.stringify(LATENCY_LIMITS)], {
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
