import { parseHashKid } from '@/lib/access/audit/chain';
import { recordAudit } from '@/lib/access/audit/record';
import { generateKeyText, readKeyFile, removeKeyDrafts, replaceKeyFile } from '@/lib/access/vault/key-file';
import { findVaultKeys, getVaultKeys } from '@/lib/access/vault/vault-key';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { getLastAudit } from '@/lib/store/audit';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { reseal } from './reseal';

export interface Rotation {
  /** The id of the new key; null = no key was made, an earlier rotation was finished. */
  kid: string | null;
  before: string;
  done: number;
  left: number;
}

/**
 * Makes a new key and seals everything with it. The order keeps everything readable after any interruption: the new key
 * is in the file before anything is sealed with it, and the old one stays there until it is forgotten. Running servers
 * see the new file at their next use of a key. With COLONNADE_KEY the key is in the environment: a person has replaced
 * it already (COLONNADE_KEY, COLONNADE_KEY_OLD), and only sealing again is left to do. Errors: `vault_key`.
 */
export async function rotateKey(actor: Actor): Promise<Rotation> {
  const last = await getLastAudit();
  const before = last ? parseHashKid(last.hash) : getVaultKeys().kid;
  if (findVaultKeys(before) === null)
    throw new AppError(
      'vault_key',
      `This database was last written with the key ${before}, which is not here. Set COLONNADE_KEY as the server has it, or restore its vault.key; the key that COLONNADE_KEY replaces stands in COLONNADE_KEY_OLD.`,
      { sealedWith: before, key: getVaultKeys().kid },
    );
  const unfinished = await reseal();
  const changed = getVaultKeys().kid !== before;
  if (config.key !== null && !changed && unfinished.done === 0)
    throw new AppError(
      'vault_key',
      'The key is in the environment, so a new one is put there: set COLONNADE_KEY to a new key (openssl rand -base64 32) and COLONNADE_KEY_OLD to the present one, for all processes, and start them again. What is sealed with the old key is sealed anew then.',
      { key: before },
    );
  if (changed || unfinished.done > 0) {
    if (changed) await runTransaction((tx) => record(actor, before, tx));
    return { kid: changed ? getVaultKeys().kid : null, before, ...unfinished };
  }
  removeKeyDrafts();
  // The file is read and replaced under the lock of the store, so that two commands at once do not overwrite each
  // other's key.
  await runTransaction(async (tx) => {
    replaceKeyFile([generateKeyText(), ...readKeyFile()]);
    await record(actor, before, tx);
  });
  return { kid: getVaultKeys().kid, before, ...(await reseal()) };
}

const record = (actor: Actor, before: string, tx: Tx) =>
  recordAudit(tx, { actor, action: 'keys.rotate', subject: getVaultKeys().kid, details: { before } });
