import { spawn } from 'node:child_process';
import { commandFile } from './command-file';

export interface CommandEnded {
  code: number | null;
  out: string;
  err: string;
}

/** `colonnade …` as a person calls it, in a process of its own, interrupted as soon as `interruptWhen` says so. */
export function runCommand(
  args: string[],
  env: Record<string, string> = {},
  interruptWhen?: () => Promise<boolean> | boolean,
): Promise<CommandEnded> {
  const child = spawn(process.execPath, [commandFile(), ...args], {
    env: { ...process.env, ...env },
  });
  const ended = { out: '', err: '' };
  child.stdout.on('data', (data) => {
    ended.out += data;
  });
  child.stderr.on('data', (data) => {
    ended.err += data;
  });
  let isAsking = false;
  const looking = setInterval(async () => {
    // One question at a time: two answers would interrupt it twice, which ends it otherwise.
    if (isAsking) return;
    isAsking = true;
    const isDue = await interruptWhen?.();
    isAsking = false;
    if (!isDue) return;
    clearInterval(looking);
    child.kill('SIGINT');
  }, 100);
  child.once('close', () => clearInterval(looking));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...ended })));
}
