import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

/** Compiled per system: npm fetches what fits where Colonnade is installed. Everything else is in the package. */
export const NATIVE = ['@duckdb/node-api', '@node-rs/argon2', 'better-sqlite3'];

/** The package.json of what is installed: nothing of the checkout but what a person who runs it needs. */
export function describePackage() {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { name, version, description, license, type, engines } = own;
  const dependencies = Object.fromEntries(NATIVE.map((one) => [one, own.dependencies[one]]));
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: { colonnade: 'dist/colonnade.mjs' },
    files: ['deploy', 'dist', 'docs', 'server', 'CHANGELOG.md'],
    dependencies,
  };
}
