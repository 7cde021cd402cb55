/**
 * Helpers of all scripts. They run before `npm ci`, so this module uses plain Node and no packages. Notes go to stderr,
 * so that stdout contains only the output of the tool.
 */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));

export function note(text) {
  process.stderr.write(`${text}\n`);
}

/** Prints a sentence instead of a stack trace and ends with exit code 1. */
export function stop(text) {
  note(text);
  process.exit(1);
}

/**
 * Runs a program to its end. Its output goes to stderr, or with `quiet` only into the result, which also has its exit
 * code (127: it could not be started) and its seconds.
 */
export function run(command, args, { env = {}, quiet = false, cwd = root } = {}) {
  return new Promise((resolve) => {
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2];
    const started = performance.now();
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio });
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    const done = (code) => resolve({ code, output, seconds: (performance.now() - started) / 1000 });
    child.on('error', (error) => {
      output += error.message;
      done(127);
    });
    child.on('close', (code) => done(code ?? 1));
  });
}

/** Returns the path of a program on PATH, or null. */
export function which(name) {
  const found = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.trim() : null;
}
