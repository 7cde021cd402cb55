import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditVerdict, verifyAudit } from '@/lib/audit/verify-audit';
import { config } from '@/lib/config';
import { endOldAccess } from '@/lib/store/accounts/end-old-access';
import { migrate } from '@/lib/store/migrate';
import { makeOneFile } from '@/lib/store/move/store-in-file';
import type { Store } from '@/lib/store/open-store';
import { VAULT_KEY_FILE } from '@/lib/vault/key-file';
import { type RestoredNote, writeRestoredNote } from './restored-note';

/**
 * Makes a database out of a backup one that may be used: of this version, without access that has ended since, without
 * the id of the folder it lay in, and with a note of where it came from.
 */
export async function settleRestored(
  db: Store,
  note: Omit<RestoredNote, 'ended'>,
  { tokens }: { tokens: boolean },
): Promise<{ note: RestoredNote; audit: AuditVerdict | null }> {
  await migrate(db);
  const settled = await db.transaction().execute(async (tx) => {
    const audit = hasKey() ? await verifyAudit(tx) : null;
    const whole = { ...note, ended: await endOldAccess({ tokens }, tx) };
    await tx.deleteFrom('settings').where('name', '=', 'data_folder').execute();
    await writeRestoredNote(whole, tx);
    return { note: whole, audit };
  });
  await makeOneFile(db);
  return settled;
}

/** Asked without making one. */
const hasKey = () => config.key !== null || existsSync(join(config.dataDir, VAULT_KEY_FILE));
