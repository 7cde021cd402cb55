import { recordAudit } from '@/lib/access/audit/record';
import { runTransaction } from '@/lib/store/open-store';
import { readRestoredNote, removeRestoredNote } from './restored-note';

/** Records once, at the start of a process, that this database was restored from a backup and who restored it. */
export const recordRestore = (): Promise<void> =>
  runTransaction(async (tx) => {
    const note = await readRestoredNote(tx);
    if (note === null) return;
    const { by, at, madeAt, version, ended } = note;
    const { sessions, links, tokens, approvals } = ended;
    await recordAudit(tx, {
      actor: { id: 'cli', name: by, role: 'admin', via: 'cli' },
      action: 'store.restore',
      subject: new Date(madeAt).toISOString(),
      // A field with a name like that of a secret would be blanked.
      details: { at, version, sessions, links, apiKeys: tokens, approvals },
    });
    await removeRestoredNote(tx);
  });
