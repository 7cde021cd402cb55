import { parseHashKid } from '@/lib/access/audit/chain';
import { findVaultKeys, hasVaultKey } from '@/lib/access/vault/vault-key';
import { getLastAudit } from '@/lib/store/audit';
import type { Tx } from '@/lib/store/open-store';

/**
 * Returns the id of the key that the database was last written with, according to its audit log, if this process does
 * not have it; null = it has it.
 */
export async function findUnknownVaultKey(tx?: Tx): Promise<string | null> {
  const last = await getLastAudit(tx);
  const kid = last && parseHashKid(last.hash);
  return kid === null || (hasVaultKey() && findVaultKeys(kid) !== null) ? null : kid;
}
