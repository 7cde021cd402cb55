import { statSync } from 'node:fs';
import { CHECKPOINT_SETTING, findChainStart, signCheckpoint } from '@/lib/access/audit/chain';
import { recordAudit } from '@/lib/access/audit/record';
import { keepAuditKey } from '@/lib/access/vault/audit-keys';
import { countArchivesByKey } from '@/lib/access/vault/count-archives-by-key';
import { getKeyFilePath, readKeyFile, removeKeyDrafts, replaceKeyFile } from '@/lib/access/vault/key-file';
import { computeKeyTextKid, findVaultKeys, getVaultKeys } from '@/lib/access/vault/vault-key';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { runTransaction } from '@/lib/store/open-store';
import { countSealed } from '@/lib/store/sealed-texts';
import { getSetting, setSetting } from '@/lib/store/settings/settings';

/** A text that was sealed just before the rotation is written by then. */
const SETTLE_MS = 60_000;

/**
 * Deletes a key that seals nothing any more: no text of the database, no archive. The sub-key that verifies its rows of
 * the audit log is kept; it opens nothing. With COLONNADE_KEY_OLD a person has to do the last step. Returns whether the
 * key is deleted. Errors: `not_found`, `conflict` (in use, changed less than a minute ago, or something is still sealed
 * with it).
 */
export async function forgetKey(actor: Actor, kid: string, now = Date.now()): Promise<boolean> {
  const keys = findVaultKeys(kid);
  if (keys === null)
    throw new AppError('not_found', `There is no key ${kid} here. See colonnade keys status.`, { kid });
  if (kid === getVaultKeys().kid)
    throw new AppError('conflict', `The key ${kid} is in use. Make another first: colonnade keys rotate`, { kid });
  if (config.key === null && now - statSync(getKeyFilePath()).mtimeMs < SETTLE_MS)
    throw new AppError('conflict', 'The key was changed less than a minute ago. Wait a minute, then try again.');
  const archives = (await countArchivesByKey()).get(kid) ?? 0;
  if (archives > 0)
    throw new AppError(
      'conflict',
      `${archives} archives of deletions were written with the key ${kid}. They are deleted when their retention ends; until then they need it.`,
      { kid, archives },
    );
  await keepAuditKey(kid, keys.subKey('audit'));
  await runTransaction(async (tx) => {
    const sealed = (await countSealed(tx)).get(kid) ?? 0;
    if (sealed > 0)
      throw new AppError(
        'conflict',
        `${sealed} secrets are still sealed with the key ${kid}. Seal them again: colonnade keys rotate`,
        { kid, sealed },
      );
    // The checkpoint, where the chain begins, is signed again by a key that stays.
    const checkpoint = await getSetting(CHECKPOINT_SETTING, tx);
    const begin = findChainStart(checkpoint);
    const again = checkpoint && begin && signCheckpoint(begin.seq, begin.prev, getVaultKeys().kid);
    if (again) await setSetting(CHECKPOINT_SETTING, again, tx);
    await recordAudit(tx, { actor, action: 'keys.forget', subject: kid });
  });
  if (config.key !== null) return false;
  removeKeyDrafts(now);
  // The file is replaced only after the row above is committed, and under the lock of the store, because a rotation may
  // have replaced the file meanwhile.
  await runTransaction(async () => replaceKeyFile(readKeyFile().filter((line) => computeKeyTextKid(line) !== kid)));
  return true;
}
