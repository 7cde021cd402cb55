import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { note, root, run, stop } from '../run.mjs';

const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** npm keeps a lock of what it installed. It must say the same as ours, but for packages of other systems. */
function installed() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false;
  const have = read('node_modules/.package-lock.json').packages;
  return Object.entries(read('package-lock.json').packages).every(([path, wanted]) => {
    if (path === '' || wanted.optional) return true;
    return have[path]?.version === wanted.version && existsSync(join(root, path, 'package.json'));
  });
}

const opensSqlite = () =>
  run(process.execPath, ['-e', `new (require('better-sqlite3'))(':memory:').close()`], { quiet: true });

export async function ensurePackages() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    stop(`Colonnade needs Node 20.19 or newer; this is ${process.version}.`);
  }
  if (installed()) return;
  note('Installing packages (npm ci) …');
  const { code } = await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', [
    'ci',
    '--include=dev',
    '--no-audit',
    '--no-fund',
  ]);
  if (code !== 0) stop('npm ci failed; its own message is above. Is the package registry reachable?');
  // Its binary comes ready-made for common systems; where it does not, npm compiles it and may have failed quietly.
  const opened = await opensSqlite();
  if (opened.code !== 0) {
    stop(
      `${opened.output}\nThe embedded database cannot be loaded. Install a C++ compiler, make and python3, then run: npm rebuild better-sqlite3`,
    );
  }
}
