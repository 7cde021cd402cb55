import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

/**
 * Packages that are compiled per system: npm fetches the right binary where Colonnade is installed. All others are in
 * the package.
 */
export const NATIVE = ['@duckdb/node-api', '@node-rs/argon2', 'better-sqlite3'];

/** Returns the package.json of the installed package: only the fields of the checkout that are needed to run it. */
export function describePackage() {
  const checkout = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { name, version, description, license, type, engines } = checkout;
  const dependencies = Object.fromEntries(
    NATIVE.map((packageName) => [packageName, checkout.dependencies[packageName]]),
  );
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
