/** `npm run bench -- <name> [options]`: runs bench/<name>.ts. Its stdout is passed on as it is; with --json the last line is one object. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuild } from './ensure/build.mjs';
import { ensurePackages } from './ensure/packages.mjs';
import { ensureRedis } from './ensure/redis.mjs';
import { root, stop } from './run.mjs';

/** Benches that ask the production server. */
const THROUGH_HTTP = new Set(['reports']);

const [name, ...args] = process.argv.slice(2);
const folder = join(root, 'bench');
const names = existsSync(folder)
  ? readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => file.slice(0, -3))
  : [];
if (!name || !names.includes(name)) stop(`Which one?  npm run bench -- <${names.join(' | ')}> [--json] [--keys N]`);

await ensurePackages();
await ensureRedis();
if (THROUGH_HTTP.has(name)) await ensureBuild();

const child = spawn(process.execPath, ['--import', 'tsx', join('bench', `${name}.ts`), ...args], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
