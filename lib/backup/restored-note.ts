import type { EndedAccess } from '@/lib/store/accounts/end-old-access';
import type { Tx } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';

/**
 * What a restored database says of itself until a server has put it on record: the key that signs the audit log may
 * come after it.
 */
const SETTING = 'restored_backup';

export interface RestoredNote {
  /** Of this one run of `restore`. */
  id: string;
  by: string;
  at: number;
  /** Of the backup. */
  madeAt: number;
  version: string;
  ended: EndedAccess;
}

export const writeRestoredNote = (note: RestoredNote, tx: Tx) => setSetting(SETTING, JSON.stringify(note), tx);

/** null = none, or it is on record. */
export async function readRestoredNote(tx: Tx): Promise<RestoredNote | null> {
  const text = await getSetting(SETTING, tx);
  return text === null ? null : (JSON.parse(text) as RestoredNote);
}

export async function removeRestoredNote(tx: Tx): Promise<void> {
  await tx.deleteFrom('settings').where('name', '=', SETTING).execute();
}
