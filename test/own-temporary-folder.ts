import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Puts all temporary files of a run into one folder that is deleted at the end, so that a killed test, or one that does
 * not clean up, fills no disk. Set before the workers start, which inherit it.
 */
export default function ownTemporaryFolder(): (() => void) | undefined {
  // Each project calls this; the first call decides for all.
  if (process.env.COLONNADE_TESTS_IN) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'colonnade-tests-'));
  process.env.COLONNADE_TESTS_IN = folder;
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
