/**
 * Bundles one program of Colonnade as it is shipped: one file, and next to it the parts that only some commands load.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { NATIVE } from './package/describe-package.mjs';
import { root } from './run.mjs';

/**
 * `entry` and `outfile` are paths relative to `tree`, which is the root of the project or another copy of its sources.
 * The output must run next to the `node_modules` of its folder. It is split into parts, because one single file would
 * spend half a second of each call on reading code that the command does not need.
 */
export async function bundle(entry, outfile, tree = root) {
  const name = basename(outfile, '.mjs');
  const folder = dirname(resolve(tree, outfile));
  // Delete the parts of an earlier build: their names contain a hash of their content, so they would not be
  // overwritten.
  for (const file of existsSync(folder) ? readdirSync(folder) : [])
    if (file.startsWith(`${name}-part-`)) rmSync(join(folder, file));
  await build({
    absWorkingDir: tree,
    entryPoints: { [name]: entry },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    // The parts stay in the same folder, because modules find other files relative to their own path.
    chunkNames: `${name}-part-[hash]`,
    splitting: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Native modules cannot be bundled; everything else is.
    external: NATIVE,
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}
