/** One program of Colonnade as it is shipped: a file, and beside it what only some of its commands need. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { root } from './run.mjs';

/**
 * `entry` and `outfile` from the root of the project, or from another tree of its sources; the file runs beside the
 * `node_modules` of its folder. As one file half a second of each call would go into reading what it does not need.
 */
export async function bundle(entry, outfile, tree = root) {
  const name = basename(outfile, '.mjs');
  const folder = dirname(resolve(tree, outfile));
  // Their names change with what is in them.
  for (const file of existsSync(folder) ? readdirSync(folder) : [])
    if (file.startsWith(`${name}-part-`)) rmSync(join(folder, file));
  await build({
    absWorkingDir: tree,
    entryPoints: { [name]: entry },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    // In the same folder: a module finds other files from where it stands.
    chunkNames: `${name}-part-[hash]`,
    splitting: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Native modules cannot be bundled; the rest is.
    external: ['@duckdb/node-api', 'better-sqlite3', '@node-rs/argon2'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}
