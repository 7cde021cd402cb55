/**
 * `npm run build`: builds the production server in .next/standalone, with its static files and public/, which Next does
 * not copy there, and the command line in dist/colonnade.mjs, which starts the server and runs jobs.
 */
import { chmodSync, cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hintCompile } from './compile-hints.mjs';
import { hashSources, STAMP } from './ensure/build.mjs';
import { ensurePackages } from './ensure/packages.mjs';
import { note, root, run, stop } from './run.mjs';

await ensurePackages();
const sources = hashSources();
// Next keeps types of routes that no longer exist, and they would fail the build.
rmSync(join(root, '.next/dev'), { recursive: true, force: true });
rmSync(STAMP, { force: true });

const next = await run(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
  env: { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
});
if (next.code !== 0) stop('next build failed.');

const standalone = join(root, '.next/standalone');
// Next traces the engine without the excludes of next.config.ts, so the copied sources and the developer's database are
// deleted here.
for (const name of ['app', 'bench', 'cli', 'components', 'data', 'deploy', 'dist', 'e2e', 'lib', 'test'])
  rmSync(join(standalone, name), { recursive: true, force: true });
// The lists of traced files and the state of the compiler are not needed either.
for (const name of readdirSync(standalone, { recursive: true, encoding: 'utf8' }))
  if (/\.nft\.json$|\.tsbuildinfo$/.test(name)) rmSync(join(standalone, name));
cpSync(join(root, '.next/static'), join(standalone, '.next/static'), { recursive: true });
hintCompile(join(standalone, '.next/static'));
if (existsSync(join(root, 'public'))) cpSync(join(root, 'public'), join(standalone, 'public'), { recursive: true });

const { bundle } = await import('./bundle.mjs');
await bundle('cli/colonnade.ts', 'dist/colonnade.mjs');
chmodSync(join(root, 'dist/colonnade.mjs'), 0o755);
// The stamp is written last, so that a build that stopped half way does not count as built.
writeFileSync(STAMP, sources);
note('Built .next/standalone/server.js and dist/colonnade.mjs.');
