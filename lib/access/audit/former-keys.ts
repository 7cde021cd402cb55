import { getVaultKeys } from '@/lib/access/vault/vault-key';
import { AppError } from '@/lib/model/errors';
import { getLastAudit } from '@/lib/store/audit';
import type { Tx } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { parseHashKid } from './chain';

/** Ids of keys that signed before and were replaced or given up, as a JSON list. */
const FORMER_SETTING = 'audit_former_keys';

const readFormerKeys = async (tx?: Tx) => JSON.parse((await getSetting(FORMER_SETTING, tx)) ?? '[]') as string[];

export const noteFormerKey = async (kid: string, tx: Tx): Promise<void> =>
  setSetting(FORMER_SETTING, JSON.stringify([...new Set([...(await readFormerKeys(tx)), kid])]), tx);

/**
 * Throws `vault_key` if the present key was replaced earlier. Such a key must not sign or seal again, because other
 * people may know it.
 */
export async function refuseFormerKey(tx?: Tx): Promise<void> {
  const last = await getLastAudit(tx);
  if (last === null) return;
  const [{ kid }, before] = [getVaultKeys(), parseHashKid(last.hash)];
  if (kid === before || !(await readFormerKeys(tx)).includes(kid)) return;
  throw new AppError(
    'vault_key',
    `The key ${kid} was replaced by ${before} and may not seal again. Give COLONNADE_KEY (or the first line of vault.key) the key ${before}.`,
    { key: kid, replacedBy: before },
  );
}
