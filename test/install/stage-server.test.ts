import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { describePackage, NATIVE } from '../../scripts/package/describe-package.mjs';
import { stageServer } from '../../scripts/package/stage-server.mjs';
import { readText } from './deploy-files';

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

it('the packed server has neither links nor binaries, and asks for packages by their own names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'colonnade-stage-'));
  const built = join(folder, 'built');
  write(join(built, 'server.js'), '');
  write(join(built, 'docs/GUIDE.md'), '');
  // Next's tracer includes what was packed before.
  write(join(built, 'dist/colonnade-0.0.1.tgz'), '');
  write(join(built, 'node_modules/pino/index.js'), '');
  write(join(built, 'node_modules/@duckdb/node-bindings-linux-x64/duckdb.node'), '');
  write(join(built, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'), '');
  write(join(built, 'node_modules/pino/test/index.js'), '');
  write(join(built, 'node_modules/pino/index.js.map'), '');
  const chunk = '.next/server/chunks/one.js';
  write(join(built, chunk), 'require("pino-0123456789abcdef");import("@duckdb/node-api-fedcba9876543210/lib/a.js")');
  for (const [link, target] of [
    ['pino-0123456789abcdef', '../../node_modules/pino'],
    ['@duckdb/node-api-fedcba9876543210', '../../../node_modules/@duckdb/node-api'],
  ] as const) {
    const at = join(built, '.next/node_modules', link);
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(target, at);
  }
  stageServer(folder, built);
  const staged = join(folder, 'server');
  expect(readFileSync(join(staged, chunk), 'utf8')).toBe('require("pino");import("@duckdb/node-api/lib/a.js")');
  const entries = readdirSync(staged, { recursive: true, withFileTypes: true });
  expect(entries.filter((entry) => entry.isSymbolicLink() || entry.name.endsWith('.node'))).toEqual([]);
  expect(existsSync(join(staged, 'server.js'))).toBe(true);
  expect(existsSync(join(staged, 'node_modules/pino/index.js'))).toBe(true);
  expect(readdirSync(join(staged, 'node_modules/pino'))).toEqual(['index.js']);
  expect(existsSync(join(staged, 'docs'))).toBe(false);
  expect(existsSync(join(staged, 'dist'))).toBe(false);
});

it('depends on what the build leaves out, in the versions of the lock, and on nothing else', () => {
  const own = JSON.parse(readText('package.json'));
  expect(readText('scripts/bundle.mjs')).toContain('external: NATIVE,');
  const { dependencies, engines, version } = describePackage() as typeof own;
  expect(dependencies).toEqual(Object.fromEntries(NATIVE.map((name) => [name, own.dependencies[name]])));
  expect({ engines, version }).toEqual({ engines: own.engines, version: own.version });
});
