/** One program of Colonnade as one file, as it is shipped. */
import { build } from 'esbuild';
import { root } from './run.mjs';

/**
 * `entry` and `outfile` from the root of the project, or from another tree of its sources; the file runs beside the
 * `node_modules` of its folder.
 */
export async function bundle(entry, outfile, tree = root) {
  await build({
    absWorkingDir: tree,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Native modules cannot be bundled; the rest is.
    external: ['@duckdb/node-api', 'better-sqlite3', '@node-rs/argon2'],
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}
