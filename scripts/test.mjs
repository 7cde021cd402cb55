/**
 * `npm test`: everything, from a fresh clone. A failing stage does not hide the later ones; the exit code tells of all.
 */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { endWithNpm } from './end-with-npm.mjs';
import { isBuilt } from './ensure/build.mjs';
import { ensureChromium } from './ensure/chromium.mjs';
import { ensureFonts } from './ensure/fonts.mjs';
import { ensurePackages } from './ensure/packages.mjs';
import { ensurePostgres } from './ensure/postgres.mjs';
import { ensureRedis } from './ensure/redis.mjs';
import { serverVersions } from './ensure/server-versions.mjs';
import { ensureSystemdAnalyze } from './ensure/systemd.mjs';
import { root } from './run.mjs';
import { verify } from './verify.mjs';

endWithNpm();
const say = (text) => process.stdout.write(`${text}\n`);
// What failed is repeated under the result: the outputs of the stages are long.
const failures = join(mkdtempSync(join(tmpdir(), 'colonnade-failures-')), 'failures.txt');
process.env.COLONNADE_TEST_FAILURES = failures;
const heading = (name) => say(`\n── ${name} ${'─'.repeat(60 - name.length)}`);

/** Shows the runner's own lines as they come; the last one is its closing line. */
function runner(...args) {
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
      // Somebody ended it: the later stages are not wanted either.
      if (signal) process.exit(1);
      resolve(code === 0);
    });
  });
}

heading('bootstrap');
await ensurePackages();
const redis = await ensureRedis();
const postgres = await ensurePostgres();
const browser = await ensureChromium();
await ensureFonts();
await ensureSystemdAnalyze();
say(`node ${process.version}, ${redis}, ${postgres}, ${browser}`);
const versions = serverVersions().map(({ version }) => version);
say(`server versions: ${versions.join(', ')}`);
if (!process.env.COLONNADE_TEST_SERVERS)
  say(
    '(more: COLONNADE_TEST_SERVERS=<folder with <name>/redis-server or <name>/valkey-server>; LONG=1 for all of each)',
  );

const failed = [];
const took = [];
const stage = async (name, work) => {
  heading(name);
  const started = performance.now();
  const ok = await work();
  took.push(`${name} ${Math.round((performance.now() - started) / 1000)} s`);
  say(took.at(-1));
  if (!ok) failed.push(name);
  return ok;
};

await stage('verify', verify);
await stage('integration', () => runner('node_modules/vitest/vitest.mjs', 'run', '--project', 'integration'));
await stage('postgres', () => runner('node_modules/vitest/vitest.mjs', 'run', '--project', 'postgres'));
const built = await stage('build', () => (isBuilt() ? true : runner('scripts/build.mjs')));
await stage('e2e', () => {
  if (built) return runner('node_modules/@playwright/test/cli.js', 'test');
  say('Not run, because there is no build.\n0 passed, 1 failed, 0 skipped');
  return false;
});

heading('result');
if (existsSync(failures)) say(readFileSync(failures, 'utf8'));
rmSync(dirname(failures), { recursive: true, force: true });
say(took.join(', '));
say(failed.length === 0 ? 'all stages passed' : `failed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
