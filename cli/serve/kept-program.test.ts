import { spawn } from 'node:child_process';
import { expect, it, onTestFinished, vi } from 'vitest';
import { KeptProgram } from './kept-program';

const READY = `process.send('ready');`;
const STAYS = `process.on('message', () => process.send('heard')); process.on('SIGTERM', () => process.exit(0));`;

/** Keeps a program that runs a line of script, and records its messages and its processes. */
function keep(script: string, saysReady = true) {
  const said: unknown[] = [];
  const pids: number[] = [];
  const start = () => {
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    pids.push(child.pid as number);
    return child;
  };
  const kept = new KeptProgram({ name: 'worker', saysReady, start }, (message) => said.push(message));
  onTestFinished(() => kept.end('SIGKILL'));
  return { kept, said, pids };
}

it('starts again what was killed, and passes messages to the one that runs', async () => {
  const { kept, said, pids } = keep(STAYS + READY);
  kept.start();
  await vi.waitFor(() => expect(said).toEqual(['ready']), 20_000);
  process.kill(pids[0]!, 'SIGKILL');
  await vi.waitFor(() => expect(said).toEqual(['ready', 'ready']), 20_000);
  expect(pids).toHaveLength(2);
  kept.send('wake');
  await vi.waitFor(() => expect(said.at(-1)).toBe('heard'), 20_000);
  kept.end('SIGTERM');
  expect(await kept.ended).toBe(0);
  expect(pids).toHaveLength(2);
});

it('does not start again what refused to start, and has its exit code', async () => {
  const { kept, pids } = keep('process.exit(5)');
  kept.start();
  expect(await kept.ended).toBe(5);
  expect(pids).toHaveLength(1);
});

it('starts again what ended after it was ready, also without an error', async () => {
  const { kept, said } = keep(`${READY} process.disconnect();`);
  kept.start();
  await vi.waitFor(() => expect(said.length).toBeGreaterThan(1), 20_000);
});

it('has ended before it was started, when it is to end', async () => {
  const { kept, pids } = keep(STAYS);
  kept.end('SIGTERM');
  kept.start();
  expect([await kept.ended, pids]).toEqual([0, []]);
});
