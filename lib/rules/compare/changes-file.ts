/** The comparison with one earlier snapshot is kept next to the roll-up of the same policy (rules-folder.ts). */

import path from 'node:path';
import { readChecked, writeChecked } from '@/lib/snapshots/folder/checked-text';
import type { Changes } from './changes';

/** Raise it when the file or its meaning changes: files of other versions are then made again. */
const VERSION = 2;
const getChangesFile = (folder: string, previousId: string) => path.join(folder, `changes-${previousId}.json`);

export async function keepChanges(folder: string, previousId: string, changes: Changes): Promise<void> {
  const text = JSON.stringify({ version: VERSION, previousId, rules: changes });
  await writeChecked(getChangesFile(folder, previousId), text);
}

/** null: not compared yet, or kept by another version, or damaged. */
export async function readChanges(folder: string, previousId: string): Promise<Changes | null> {
  try {
    const kept = (await readChecked(getChangesFile(folder, previousId))) as { version: number; rules: Changes };
    return kept.version === VERSION ? kept.rules : null;
  } catch {
    return null;
  }
}
