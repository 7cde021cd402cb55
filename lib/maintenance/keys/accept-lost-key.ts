import { KEY_LOST } from '@/lib/access/audit/chain';
import { adoptCheckpoint } from '@/lib/access/audit/lost-keys';
import { recordAudit } from '@/lib/access/audit/record';
import { forgetVaultKeys, getVaultKeys } from '@/lib/access/vault/vault-key';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { isPresent } from '@/lib/model/presence';
import { runTransaction } from '@/lib/store/open-store';
import { listPresences } from '@/lib/store/workers';
import { findUnknownVaultKey } from './unknown-vault-key';

/**
 * Continues with the current key after the former one was lost, and records that. What the former key sealed can no
 * longer be opened, and what it signed can no longer be verified. Returns the id of the key that seals from now on.
 * Errors: `conflict` (the key is not lost, or another one is).
 */
export async function acceptLostKey(actor: Actor, kid: string): Promise<string> {
  return runTransaction(async (tx) => {
    const foreign = await findUnknownVaultKey(tx);
    if (foreign === null)
      throw new AppError('conflict', 'The key that this database was last written with is here. Nothing is lost.');
    if (foreign !== kid)
      throw new AppError('conflict', `This database was last written with the key ${foreign}, not ${kid}.`, { kid });
    const holder = (await listPresences(tx)).find((one) => isPresent(one) && one.keyId === kid);
    if (holder)
      throw new AppError(
        'conflict',
        `The key ${kid} is not lost: the process ${holder.pid} on ${holder.host} has it. Start all with its COLONNADE_KEY or vault.key, or stop all processes first.`,
        { kid },
      );
    forgetVaultKeys();
    const now = getVaultKeys().kid;
    const cutUpTo = await adoptCheckpoint(kid, tx);
    const details = { now, ...(cutUpTo !== null && { cutUpTo }) };
    await recordAudit(tx, { actor, action: KEY_LOST, subject: kid, details });
    return now;
  });
}
