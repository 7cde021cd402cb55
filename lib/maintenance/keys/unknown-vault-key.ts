import { parseHashKid } from '@/lib/access/audit/chain';
import { readKeyFileStamp } from '@/lib/access/vault/key-file';
import { findVaultKeys } from '@/lib/access/vault/vault-key';
import { config } from '@/lib/runtime/config';
import { getLastAudit } from '@/lib/store/audit';
import type { Tx } from '@/lib/store/open-store';

/** Whether this process has a key; the check creates none. */
export const hasVaultKey = (): boolean => config.key !== null || readKeyFileStamp() !== '';

/**
 * Returns the id of the key that the database was last written with, according to its audit log, if this process does
 * not have it; null = it has it.
 */
export async function findUnknownVaultKey(tx?: Tx): Promise<string | null> {
  const last = await getLastAudit(tx);
  const kid = last && parseHashKid(last.hash);
  return kid === null || (hasVaultKey() && findVaultKeys(kid) !== null) ? null : kid;
}
