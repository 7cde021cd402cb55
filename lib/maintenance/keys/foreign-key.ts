import { kidOfHash } from '@/lib/access/audit/chain';
import { keyFileStamp } from '@/lib/access/vault/key-file';
import { vaultKeysOf } from '@/lib/access/vault/vault-key';
import { config } from '@/lib/runtime/config';
import { lastAudit } from '@/lib/store/audit';
import type { Tx } from '@/lib/store/open-store';

/** Whether this process has a key; the check creates none. */
export const hasVaultKey = (): boolean => config.key !== null || keyFileStamp() !== '';

/**
 * Returns the id of the key that the database was last written with, according to its audit log, if this process does
 * not have it; null = it has it.
 */
export async function foreignKey(tx?: Tx): Promise<string | null> {
  const last = await lastAudit(tx);
  const kid = last && kidOfHash(last.hash);
  return kid === null || (hasVaultKey() && vaultKeysOf(kid) !== null) ? null : kid;
}
