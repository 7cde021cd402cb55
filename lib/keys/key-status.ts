import { config } from '@/lib/config';
import { countSealed } from '@/lib/store/sealed-texts';
import { countArchivesByKey } from '@/lib/vault/archive-kids';
import { forgottenAuditKeys } from '@/lib/vault/audit-keys';
import { vaultRing } from '@/lib/vault/vault-key';
import { foreignKey, hasVaultKey } from './foreign-key';

export interface KeyUse {
  kid: string;
  /** It seals; the others only open. `missing`: something is sealed with it, and this process does not have it. */
  state: 'seals' | 'opens' | 'missing' | 'forgotten';
  sealed: number;
  archives: number;
}

/** Every key that is here or that something is sealed with, and how much. */
export async function keyStatus(): Promise<{ source: 'COLONNADE_KEY' | 'vault.key'; keys: KeyUse[] }> {
  const [sealed, archives] = [await countSealed(), await countArchivesByKey()];
  // Asking makes no key.
  const [first, ...others] = hasVaultKey() ? vaultRing().map(({ kid }) => kid) : [];
  const forgotten = [...forgottenAuditKeys().keys()];
  // The database was last written with it, though nothing may be sealed.
  const foreign = await foreignKey();
  const known = [...(first === undefined ? [] : [first]), ...others, ...(foreign === null ? [] : [foreign])];
  const kids = new Set([...known, ...sealed.keys(), ...archives.keys(), ...forgotten]);
  const keys = [...kids].map(
    (kid): KeyUse => ({
      kid,
      state:
        kid === first ? 'seals' : others.includes(kid) ? 'opens' : forgotten.includes(kid) ? 'forgotten' : 'missing',
      sealed: sealed.get(kid) ?? 0,
      archives: archives.get(kid) ?? 0,
    }),
  );
  return { source: config.key === null ? 'vault.key' : 'COLONNADE_KEY', keys };
}
