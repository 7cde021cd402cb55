import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { note, root, run, stop } from '../run.mjs';

/** What a build is made of. A change in a test or a document needs no new one. */
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
  'scripts/compile-hints.mjs',
  'tsconfig.json',
];
const SERVER = join(root, '.next/standalone/server.js');
/** Starts it. */
export const COMMAND = join(root, 'dist/colonnade.mjs');
export const STAMP = join(root, '.next/standalone/.sources');

function filesOf(place) {
  const at = join(root, place);
  if (!existsSync(at)) return [];
  if (/\.[a-z]+$/.test(place)) return [place];
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.i?test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
}

/** By content, not by time: a fresh clone has only new files. */
export function hashSources() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesOf).sort()) {
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

/** Builds when nothing is built yet or a source changed since. */
export async function ensureBuild() {
  if (isBuilt()) return;
  note('Building Colonnade (about a minute) …');
  const { code } = await run(process.execPath, ['scripts/build.mjs']);
  if (code !== 0) stop('The build failed; its own message is above.');
}
