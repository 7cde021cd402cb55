import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

/**
 * Copies the built server without the packages that are compiled for the machine that packs. Node finds those in a
 * parent folder, where npm installed them for the machine they run on.
 */
export function stageServer(stage, built = join(root, '.next/standalone')) {
  const server = join(stage, 'server');
  cpSync(built, server, { recursive: true, verbatimSymlinks: true });
  for (const name of ['deploy', 'dist', 'docs', 'messages', 'scripts', 'package-lock.json', '.sources'])
    rmSync(join(server, name), { recursive: true, force: true });
  for (const name of ['@duckdb', '@img', '@node-rs', 'better-sqlite3', 'bindings', 'file-uri-to-path', 'sharp'])
    rmSync(join(server, 'node_modules', name), { recursive: true, force: true });
  dropTestsAndMaps(join(server, 'node_modules'));
  renameHashedPackages(server);
  replaceBuildPath(server);
}

/** Deletes the tests and source maps of traced packages. */
function dropTestsAndMaps(modules) {
  if (!existsSync(modules)) return;
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    const isUnneeded = entry.isDirectory() ? /^(test|tests|__tests__)$/.test(entry.name) : entry.name.endsWith('.map');
    if (isUnneeded) rmSync(join(entry.parentPath, entry.name), { recursive: true, force: true });
  }
}

/**
 * Replaces the path of the checkout, which is private to the machine that packs. Next writes it into these files and
 * never reads it again.
 */
function replaceBuildPath(server) {
  for (const name of ['server.js', '.next/required-server-files.json']) {
    const file = join(server, name);
    if (existsSync(file))
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(root.replace(/[\\/]$/, ''), '/colonnade'));
  }
}

/**
 * Replaces the names by which Next refers to packages that it did not bundle (`pino-<hash>`) by their real names. The
 * hashed names are symbolic links, which an npm package cannot contain.
 */
function renameHashedPackages(server) {
  const links = join(server, '.next/node_modules');
  if (!existsSync(links)) return;
  const hashed = readdirSync(links, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name).slice(links.length + 1));
  rmSync(links, { recursive: true });
  for (const entry of readdirSync(join(server, '.next/server'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    const renamed = hashed.reduce((all, name) => all.replaceAll(name, name.replace(/-[0-9a-f]{16}$/, '')), text);
    if (renamed !== text) writeFileSync(file, renamed);
  }
}
