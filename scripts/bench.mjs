/**
 * `npm run bench -- <name> [options]`: runs bench/<name>.ts. Its stdout is passed on as it is; with --json the last
 * line is one object.
 */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endWithNpm } from './end-with-npm.mjs';
import { ensureBuild } from './ensure/build.mjs';
import { ensureChromium } from './ensure/chromium.mjs';
import { ensurePackages } from './ensure/packages.mjs';
import { ensurePostgres } from './ensure/postgres.mjs';
import { ensureRedis } from './ensure/redis.mjs';
import { root, stop } from './run.mjs';

endWithNpm();
/** Name of a bench → whether it needs the production build. The other files in bench/ are parts of these. */
const BENCHES = {
  scan: false,
  impact: false,
  reports: true,
  resume: false,
  rules: true,
  delete: false,
  pages: true,
  fleet: true,
  time: false,
};

const [name, ...args] = process.argv.slice(2);
if (!(name in BENCHES)) {
  stop(`Which one?  npm run bench -- <${Object.keys(BENCHES).join(' | ')}> [--json] [--keys N]`);
}

await ensurePackages();
await ensureRedis();
if (BENCHES[name]) await ensureBuild();
if (name === 'pages') await ensureChromium();
if (name === 'fleet') await ensurePostgres();

const child = spawn(process.execPath, ['--import', 'tsx', join('bench', `${name}.ts`), ...args], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
