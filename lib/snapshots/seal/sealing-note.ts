import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import { writeFileDurably } from '@/lib/snapshots/folder/durable';
import { findMissingFiles } from '@/lib/snapshots/folder/missing-files';
import type { SealedFiles } from './sealed-files';
import type { SealStats } from './sealed-stats';

/**
 * A note in the folder of a snapshot whose files are sealed but not yet listed in its manifest. One process may write
 * the files, and another one the manifest.
 */
interface SealingNote extends SealedFiles {
  parts: string[];
  /** The bigkeys in `stats` are counted with these. */
  bigkeys: BigkeyThresholds;
  stats: SealStats;
}

const NOTE = 'sealing.json';

export const writeSealingNote = (dir: string, note: SealingNote): Promise<void> =>
  writeFileDurably(path.join(dir, NOTE), JSON.stringify(note));

/** null: these parts were not sealed to the end, or their bigkeys were counted with other thresholds. */
export async function readSealingNote(
  dir: string,
  parts: readonly string[],
  bigkeys: BigkeyThresholds,
): Promise<SealingNote | null> {
  try {
    const note: SealingNote = JSON.parse(await readFile(path.join(dir, NOTE), 'utf8'));
    const isSame = isDeepStrictEqual([note.parts, note.bigkeys], [parts, bigkeys]);
    return isSame && (await findMissingFiles(dir, note.files)).length === 0 ? note : null;
  } catch {
    // A damaged note is as good as none, because the parts are still there.
    return null;
  }
}

export const removeSealingNote = (dir: string): Promise<void> => rm(path.join(dir, NOTE), { force: true });
