import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { note, root, run, stop } from '../run.mjs';

/** Files and folders that a build depends on. A change in a test or a document needs no new build. */
export const SOURCES = [
  'app',
  'cli',
  'components',
  'instrumentation.ts',
  'lib',
  'messages',
  'next.config.ts',
  'package-lock.json',
  'postcss.config.mjs',
  'proxy.ts',
  'public',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/compile-hints.mjs',
  'scripts/package/describe-package.mjs',
  'tsconfig.json',
];
const SERVER = join(root, '.next/standalone/server.js');
/** The command line; it also starts the server. */
export const COMMAND = join(root, 'dist/colonnade.mjs');
export const STAMP = join(root, '.next/standalone/.sources');

function listFiles(place) {
  const path = join(root, place);
  if (!existsSync(path)) return [];
  if (/\.[a-z]+$/.test(place)) return [place];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.i?test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
}

/** Hashes the content of the sources, not their times: in a fresh clone all files are new. */
export function hashSources() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(listFiles).sort()) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

export function isBuilt() {
  return (
    existsSync(SERVER) && existsSync(COMMAND) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashSources()
  );
}

/** Builds if there is no build yet, or if a source changed since the last one. */
export async function ensureBuild() {
  if (isBuilt()) return;
  note('Building Colonnade (about a minute) …');
  const { code } = await run(process.execPath, ['scripts/build.mjs']);
  if (code !== 0) stop('The build failed; its own message is above.');
}
