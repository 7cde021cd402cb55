import { recordAudit } from '@/lib/audit/record';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { transaction } from '@/lib/store/open-store';
import { vaultKeys } from '@/lib/vault/vault-key';
import { foreignKey } from './foreign-key';

/**
 * Goes on with the present key where the former one is lost, on record. What it sealed stays shut, and what it signed
 * can no longer be checked. Returns the key that seals from now on.
 */
export async function acceptLostKey(actor: Actor, kid: string): Promise<string> {
  return transaction(async (tx) => {
    const foreign = await foreignKey(tx);
    if (foreign === null)
      throw new AppError('conflict', 'The key that this database was last written with is here. Nothing is lost.');
    if (foreign !== kid)
      throw new AppError('conflict', `This database was last written with the key ${foreign}, not ${kid}.`, { kid });
    const now = vaultKeys().kid;
    await recordAudit(tx, { actor, action: 'keys.lost', subject: kid, details: { now } });
    return now;
  });
}
