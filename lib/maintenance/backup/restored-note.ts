import { recordAudit } from '@/lib/access/audit/record';
import type { EndedAccess } from '@/lib/store/accounts/end-old-access';
import { runTransaction, type Tx } from '@/lib/store/open-store';
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

/** Records once, at the start of a process, that this database was restored from a backup and who restored it. */
export const recordRestore = (): Promise<void> =>
  runTransaction(async (tx) => {
    const text = await getSetting(SETTING, tx);
    if (text === null) return;
    const { by, at, madeAt, version, ended } = JSON.parse(text) as RestoredNote;
    const { sessions, links, tokens, approvals } = ended;
    await recordAudit(tx, {
      actor: { id: 'cli', name: by, role: 'admin', via: 'cli' },
      action: 'store.restore',
      subject: new Date(madeAt).toISOString(),
      // A field with a name like that of a secret would be blanked.
      details: { at, version, sessions, links, apiKeys: tokens, approvals },
    });
    await tx.deleteFrom('settings').where('name', '=', SETTING).execute();
  });
