/**
 * Takes pictures of the pages.
 *   node scripts/screenshots.mjs [address]: the pictures of the README, from a running demo (`npm run demo` elsewhere)
 *   node scripts/screenshots.mjs --references [--keep FOLDER]: every page in both languages, themes and widths, small,
 *     for e2e/looks.spec.ts, from a separate demo; with --keep also the full pictures, for inspection
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { takeReadmePictures } from './pictures/readme-pictures.mjs';
import { writeReferences } from './pictures/references.mjs';
import { root, stop } from './run.mjs';

const { values: options, positionals } = parseArgs({
  options: { references: { type: 'boolean', default: false }, keep: { type: 'string' } },
  allowPositionals: true,
});

if (options.references) {
  await writeReferences({ keep: options.keep && resolve(options.keep) });
  // The watchdog of the demo would keep this process alive.
  process.exit(0);
} else {
  const stateFile = join(root, '.demo/demo.json');
  const running = () => `http://127.0.0.1:${JSON.parse(readFileSync(stateFile, 'utf8')).web}`;
  const origin = positionals[0] ?? (existsSync(stateFile) ? running() : null);
  if (!origin) stop('No demo is running. Start it with: npm run demo');
  await takeReadmePictures(origin);
}
