import { findAuditKey } from '@/lib/access/vault/audit-keys';
import { getVaultKeys } from '@/lib/access/vault/vault-key';
import { listAuditRowsByAction } from '@/lib/store/audit';
import type { Tx } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { CHECKPOINT_SETTING, computeLinkHash, KEY_LOST, parseHashKid, signCheckpoint } from './chain';

/**
 * Keys that were given up as lost → number of the row that says so. Only rows signed with an available key count, so
 * that somebody who can only write the database cannot exclude rows from the check.
 */
export async function readLostKeys(tx?: Tx): Promise<Map<string, number>> {
  const signed = (await listAuditRowsByAction(KEY_LOST, tx)).filter((row) => {
    const kid = parseHashKid(row.hash);
    const key = findAuditKey(kid);
    return key !== null && row.hash === computeLinkHash(row.seq, row, { kid, key });
  });
  return new Map(signed.map(({ subject, seq }) => [subject, seq]));
}

/**
 * Signs the retention checkpoint again with the present key if the lost key (`kid`) had signed it, because otherwise
 * neither the check nor retention could ever pass it. A checkpoint signed by another key stays unchanged, even if it is
 * invalid. Returns the number of the last removed row, to be recorded; null = the lost key had not signed it.
 */
export async function adoptCheckpoint(kid: string, tx: Tx): Promise<number | null> {
  const before = await getSetting(CHECKPOINT_SETTING, tx);
  const [signer, hash = '', seq = ''] = before?.split('|') ?? [];
  if (signer !== kid) return null;
  const text = signCheckpoint(Number(seq), hash, getVaultKeys().kid);
  if (text === null) throw new Error('The vault key is not in its key ring.');
  await setSetting(CHECKPOINT_SETTING, text, tx);
  return Number(seq);
}
