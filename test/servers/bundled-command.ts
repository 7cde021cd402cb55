import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.mjs';

/**
 * The command as it is shipped, bundled once for all tests of a run: from its sources each of some hundred calls takes
 * a second longer. It stands where it finds the native modules.
 */
export default async function bundledCommand(): Promise<(() => void) | undefined> {
  // Each project asks; the first one makes it.
  if (process.env.COLONNADE_TEST_COMMAND) return undefined;
  const folder = join(import.meta.dirname, '../../node_modules/.cache', `colonnade-tests-${process.pid}`);
  const file = join(folder, 'colonnade.mjs');
  await bundle('cli/colonnade.ts', file);
  process.env.COLONNADE_TEST_COMMAND = file;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
