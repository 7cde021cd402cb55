import { AppError } from '@/lib/model/errors';
import { lastAudit } from '@/lib/store/audit';
import type { Tx } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { vaultKeys } from '@/lib/vault/vault-key';
import { kidOfHash } from './chain';

/** Keys that signed before and were replaced or given up, as a list of key ids. */
const FORMER_SETTING = 'audit_former_keys';

const formerKeys = async (tx?: Tx) => JSON.parse((await getSetting(FORMER_SETTING, tx)) ?? '[]') as string[];

export const noteFormerKey = async (kid: string, tx: Tx): Promise<void> =>
  setSetting(FORMER_SETTING, JSON.stringify([...new Set([...(await formerKeys(tx)), kid])]), tx);

/**
 * A key that was replaced signs and seals nothing again, whoever has put it in front: acts would be on record, and
 * passwords sealed, under a key that others may know.
 */
export async function refuseFormerKey(tx?: Tx): Promise<void> {
  const last = await lastAudit(tx);
  if (last === null) return;
  const [{ kid }, before] = [vaultKeys(), kidOfHash(last.hash)];
  if (kid === before || !(await formerKeys(tx)).includes(kid)) return;
  throw new AppError(
    'vault_key',
    `The key ${kid} was replaced by ${before} and may not seal again. Give COLONNADE_KEY (or the first line of vault.key) the key ${before}.`,
    { key: kid, replacedBy: before },
  );
}
