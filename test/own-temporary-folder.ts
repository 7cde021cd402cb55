import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * All temporary files of a run lie in one folder, which goes with it: a test that was killed, or that left its folder
 * behind, fills nobody's disk. Set before the workers start, which inherit it.
 */
export default function ownTemporaryFolder(): (() => void) | undefined {
  // Each project asks; the first one decides for all.
  if (process.env.COLONNADE_TESTS_IN) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'colonnade-tests-'));
  process.env.COLONNADE_TESTS_IN = folder;
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
