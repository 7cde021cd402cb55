import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.mjs';

/**
 * Bundles the command as it is shipped, once for all tests of a run: run from the sources, each of some hundred calls
 * takes a second longer. The bundle is put where it finds the native modules.
 */
export default async function bundledCommand(): Promise<(() => void) | undefined> {
  // Each project calls this; only the first call builds.
  if (process.env.COLONNADE_TEST_COMMAND) return undefined;
  const folder = join(import.meta.dirname, '../../node_modules/.cache', `colonnade-tests-${process.pid}`);
  const file = join(folder, 'colonnade.mjs');
  await bundle('cli/colonnade.ts', file);
  process.env.COLONNADE_TEST_COMMAND = file;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
