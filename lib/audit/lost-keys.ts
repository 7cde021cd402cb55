import { auditRowsOfAction } from '@/lib/store/audit';
import type { Tx } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { auditKeyOf } from '@/lib/vault/audit-keys';
import { vaultKeys } from '@/lib/vault/vault-key';
import { CHECKPOINT_SETTING, checkpointText, KEY_LOST, kidOfHash, linkHash } from './chain';

/**
 * Keys that were given up as lost → number of the row that says so. Only a row that a key here has signed counts:
 * whoever can write only the database cannot take rows out of the check.
 */
export async function lostKeys(tx?: Tx): Promise<Map<string, number>> {
  const signed = (await auditRowsOfAction(KEY_LOST, tx)).filter((row) => {
    const kid = kidOfHash(row.hash);
    const key = auditKeyOf(kid);
    return key !== null && row.hash === linkHash(row.seq, row, { kid, key });
  });
  return new Map(signed.map(({ subject, seq }) => [subject, seq]));
}

/**
 * Where retention has cut, under the present key: the lost one (`kid`) had signed it, and neither verifying nor
 * retention would ever come past it. One that another key has signed stays as it is, also where it does not hold.
 * Returns up to which row was cut, to be put on record; null: it was not the lost one that signed it.
 */
export async function adoptCheckpoint(kid: string, tx: Tx): Promise<number | null> {
  const before = await getSetting(CHECKPOINT_SETTING, tx);
  const [signer, hash = '', seq = ''] = before?.split('|') ?? [];
  if (signer !== kid) return null;
  const text = checkpointText(Number(seq), hash, vaultKeys().kid);
  if (text === null) throw new Error('The vault key is not in its key ring.');
  await setSetting(CHECKPOINT_SETTING, text, tx);
  return Number(seq);
}
