import { refuseFormerKey } from '@/lib/access/audit/former-keys';
import { getVaultKeys, hasVaultKey } from '@/lib/access/vault/vault-key';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { findUnknownVaultKey } from './unknown-vault-key';

/**
 * Checks, at each start and before a command writes a row, that the key is the one the database was last written with:
 * at that time no other process may be running to compare with (lib/jobs/loop/keep-presence.ts). With another key no
 * stored password can be opened and the audit log does not verify, which would be noticed much later. Errors:
 * `vault_key`.
 */
export async function assertKnownKey(): Promise<void> {
  const kid = await findUnknownVaultKey();
  if (kid === null) return hasVaultKey() ? refuseFormerKey() : undefined;
  const [here, missing] =
    config.key === null
      ? ['vault.key of the data folder', 'Restore the vault.key that was there, or set COLONNADE_KEY as before.']
      : [
          'COLONNADE_KEY',
          'Set COLONNADE_KEY as before, or put the former key into COLONNADE_KEY_OLD beside a new one.',
        ];
  throw new AppError(
    'vault_key',
    `This database was last written with the key ${kid}, which ${here} is not. ${missing} All processes need the same. Only if that key is lost: colonnade keys lost ${kid}, then enter every stored password again.`,
    { sealedWith: kid, ...(hasVaultKey() && { key: getVaultKeys().kid }) },
  );
}
