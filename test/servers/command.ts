import { spawn } from 'node:child_process';
import { commandFile } from './command-file';

export interface CommandEnded {
  code: number | null;
  out: string;
  err: string;
}

/**
 * Runs `colonnade …` as a user does, in a separate process, and interrupts it as soon as `interruptWhen` returns true.
 */
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
    // Only one check at a time: two positive answers would send two interrupts, and the second one kills the command.
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
