import { kidOfHash } from '@/lib/audit/chain';
import { config } from '@/lib/config';
import { lastAudit } from '@/lib/store/audit';
import type { Tx } from '@/lib/store/open-store';
import { keyFileStamp } from '@/lib/vault/key-file';
import { vaultKeysOf } from '@/lib/vault/vault-key';

/** Asked without making one. */
export const hasVaultKey = (): boolean => config.key !== null || keyFileStamp() !== '';

/** The key that the database was last written with, by its audit log, where this process lacks it; null: it has it. */
export async function foreignKey(tx?: Tx): Promise<string | null> {
  const last = await lastAudit(tx);
  const kid = last && kidOfHash(last.hash);
  return kid === null || (hasVaultKey() && vaultKeysOf(kid) !== null) ? null : kid;
}
