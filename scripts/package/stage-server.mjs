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
  nameAsInstalled(server);
  forgetCheckout(server);
}

/** Deletes the tests and source maps of traced packages. */
function dropTestsAndMaps(modules) {
  if (!existsSync(modules)) return;
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    const drop = entry.isDirectory() ? /^(test|tests|__tests__)$/.test(entry.name) : entry.name.endsWith('.map');
    if (drop) rmSync(join(entry.parentPath, entry.name), { recursive: true, force: true });
  }
}

/**
 * Next writes down the path where it was built and never reads it again. It is removed, because it is private to the
 * machine that packs.
 */
function forgetCheckout(server) {
  for (const name of ['server.js', '.next/required-server-files.json']) {
    const file = join(server, name);
    if (existsSync(file))
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(root.replace(/[\\/]$/, ''), '/colonnade'));
  }
}

/**
 * Next refers to packages that it did not bundle by symbolic links (`pino-<hash>`), which an npm package cannot
 * contain. Under their real names Node finds them without links.
 */
function nameAsInstalled(server) {
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
    const said = hashed.reduce((all, name) => all.replaceAll(name, name.replace(/-[0-9a-f]{16}$/, '')), text);
    if (said !== text) writeFileSync(file, said);
  }
}
