/**
 * The stages that `npm test` and `npm run test:all` run. After a failing stage the later ones still run; each prints
 * its seconds, and `finishStages` repeats the failures, because the outputs are long.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isBuilt } from '../ensure/build.mjs';
import { ensureChromium } from '../ensure/chromium.mjs';
import { ensureFonts } from '../ensure/fonts.mjs';
import { ensurePackages } from '../ensure/packages.mjs';
import { ensurePostgres } from '../ensure/postgres.mjs';
import { ensureRedis } from '../ensure/redis.mjs';
import { pickShortForm, serverVersions } from '../ensure/server-versions.mjs';
import { aptInstall, mayInstall } from '../ensure/system-package.mjs';
import { root, which } from '../run.mjs';

const VITEST = 'node_modules/vitest/vitest.mjs';
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';

const say = (text) => process.stdout.write(`${text}\n`);
const heading = (name) => say(`\n── ${name} ${'─'.repeat(60 - name.length)}`);

const notes = mkdtempSync(join(tmpdir(), 'colonnade-test-notes-'));
// The reporters append to these files: the failures, and the seconds of each file.
process.env.COLONNADE_TEST_FAILURES = join(notes, 'failures.txt');
process.env.COLONNADE_TEST_TIMES = join(notes, 'times.jsonl');

const began = performance.now();
const failed = [];
const took = [];

/** Runs one stage and records its seconds. @param {() => Promise<boolean>} work resolves with true if it passed */
export async function stage(name, work) {
  heading(name);
  const started = performance.now();
  const passed = await work();
  took.push(`${name} ${Math.round((performance.now() - started) / 1000)} s`);
  say(took.at(-1));
  if (!passed) failed.push(name);
  return passed;
}

/** Installs what is missing and prints the versions that the tests use. */
export function installAll() {
  return stage('install', async () => {
    await ensurePackages();
    const redis = await ensureRedis();
    const postgres = await ensurePostgres();
    const browser = await ensureChromium();
    await ensureFonts();
    // It checks the units of deploy/; without it their test fails and says so.
    if (!which('systemd-analyze') && mayInstall()) await aptInstall('systemd');
    say(`node ${process.version}, ${redis}, ${postgres}, ${browser}`);
    const found = serverVersions();
    const versions = process.env.LONG === '1' ? found : pickShortForm(found);
    say(`server versions: ${versions.map(({ version }) => version).join(', ')}`);
    if (!process.env.COLONNADE_TEST_SERVERS)
      say('(more: COLONNADE_TEST_SERVERS=<folders with <name>/redis-server or <name>/valkey-server>)');
    return true;
  });
}

/** Runs a program whose output is shown as it comes. Resolves with whether it succeeded. */
function run(...args) {
  return new Promise((resolve) => {
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
    const pass = (signal) => {
      child.kill(signal);
      process.exitCode = 1;
    };
    process.on('SIGTERM', pass).on('SIGINT', pass);
    child.on('close', (code, signal) => {
      process.off('SIGTERM', pass).off('SIGINT', pass);
      // The user ended the runner, so the later stages are not wanted either.
      if (signal) process.exit(1);
      resolve(code === 0);
    });
  });
}

/** Runs the projects of a stage of vitest.config.ts. @param {string} project @param {string[]} files none: all */
export const runVitest = (project, files = [], more = []) =>
  run(VITEST, 'run', '--project', `${project}*`, ...more, ...files);

/** Builds if there is no build of the current sources. */
export const build = () => stage('build', async () => isBuilt() || (await run('scripts/build.mjs')));

/** @param {boolean} built @param {string[]} files none: all of them */
export const runBrowserTests = (built, files = []) =>
  stage('e2e', async () => {
    if (built) return await run(PLAYWRIGHT, 'test', ...files);
    say('Not run, because there is no build.\n0 passed, 1 failed, 0 skipped');
    return false;
  });

/**
 * Prints the failures and the seconds of each stage.
 * @returns {{ passed: boolean, seconds: number, files: Record<string, number> }} files: seconds by `stage file`
 */
export function finishStages() {
  const { COLONNADE_TEST_FAILURES: failures, COLONNADE_TEST_TIMES: times } = process.env;
  heading('result');
  if (existsSync(failures)) say(readFileSync(failures, 'utf8'));
  const files = existsSync(times) ? readTimes(times) : {};
  rmSync(dirname(failures), { recursive: true, force: true });
  const seconds = Math.round((performance.now() - began) / 1000);
  say(`${took.join(', ')}; ${seconds} s in all`);
  say(failed.length === 0 ? 'all stages passed' : `failed: ${failed.join(', ')}`);
  return { passed: failed.length === 0, seconds, files };
}

const readTimes = (file) =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ name, seconds }) => [name, seconds]),
  );
