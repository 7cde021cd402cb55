import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { note, root, run, stop } from '../run.mjs';

const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/**
 * Whether the installed packages match package-lock.json, except for packages of other systems. npm records in its own
 * lock file what it installed.
 */
function isInstalled() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false;
  const installedPackages = read('node_modules/.package-lock.json').packages;
  return Object.entries(read('package-lock.json').packages).every(([path, wanted]) => {
    if (path === '' || wanted.optional) return true;
    return installedPackages[path]?.version === wanted.version && existsSync(join(root, path, 'package.json'));
  });
}

const opensSqlite = () =>
  run(process.execPath, ['-e', `new (require('better-sqlite3'))(':memory:').close()`], { quiet: true });

export async function ensurePackages() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    stop(`Colonnade needs Node 20.19 or newer; this is ${process.version}.`);
  }
  if (isInstalled()) return;
  note('Installing packages (npm ci) …');
  const { code } = await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', [
    'ci',
    '--include=dev',
    '--no-audit',
    '--no-fund',
  ]);
  if (code !== 0) stop('npm ci failed; its own message is above. Is the package registry reachable?');
  // better-sqlite3 ships ready-made binaries for common systems. On others npm compiles it, which may have failed
  // silently.
  const opened = await opensSqlite();
  if (opened.code !== 0) {
    stop(
      `${opened.output}\nThe embedded database cannot be loaded. Install a C++ compiler, make and python3, then run: npm rebuild better-sqlite3`,
    );
  }
}
