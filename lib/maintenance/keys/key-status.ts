import { readForgottenAuditKeys } from '@/lib/access/vault/audit-keys';
import { countArchivesByKey } from '@/lib/access/vault/count-archives-by-key';
import { getVaultRing, hasVaultKey } from '@/lib/access/vault/vault-key';
import { config } from '@/lib/runtime/config';
import { countSealed } from '@/lib/store/sealed-texts';
import { findUnknownVaultKey } from './unknown-vault-key';

interface KeyUse {
  kid: string;
  /**
   * `seals`: the key in use. `opens`: it only opens. `missing`: something is sealed with it, or the database was last
   * written with it, and this process does not have it. `forgotten`: only its rows of the audit log can still be
   * verified.
   */
  state: 'seals' | 'opens' | 'missing' | 'forgotten';
  sealed: number;
  archives: number;
}

/** Returns every key that is here or that something is sealed with, and how many texts and archives. */
export async function readKeyStatus(): Promise<{ source: 'COLONNADE_KEY' | 'vault.key'; keys: KeyUse[] }> {
  const [sealed, archives] = [await countSealed(), await countArchivesByKey()];
  // Asking for the status must not create a key.
  const [first, ...others] = hasVaultKey() ? getVaultRing().map(({ kid }) => kid) : [];
  const forgotten = [...readForgottenAuditKeys().keys()];
  // The database was last written with this key, even if nothing is sealed with it.
  const foreign = await findUnknownVaultKey();
  const known = [first, ...others, foreign].flatMap((kid) => kid ?? []);
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
