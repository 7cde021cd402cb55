import type { EndedAccess } from '@/lib/store/accounts/end-old-access';
import type { Tx } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';

/**
 * The setting that notes a restore until a server has recorded it in the audit log: the key that signs the log may be
 * put in place later than the database.
 */
const SETTING = 'restored_backup';

export interface RestoredNote {
  /** The id of this run of `restore`. */
  id: string;
  by: string;
  at: number;
  /** When the backup was made, ms. */
  madeAt: number;
  version: string;
  ended: EndedAccess;
}

export const writeRestoredNote = (note: RestoredNote, tx: Tx) => setSetting(SETTING, JSON.stringify(note), tx);

/** Reads the note; null = there is none, or it is recorded. */
export async function readRestoredNote(tx: Tx): Promise<RestoredNote | null> {
  const text = await getSetting(SETTING, tx);
  return text === null ? null : (JSON.parse(text) as RestoredNote);
}

export async function removeRestoredNote(tx: Tx): Promise<void> {
  await tx.deleteFrom('settings').where('name', '=', SETTING).execute();
}
