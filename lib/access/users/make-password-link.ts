import { generateToken, hashToken } from '@/lib/access/auth/generate-token';
import type { OneTimeLink } from '@/lib/model/accounts/accounts';
import { putOneTimeLinkRow } from '@/lib/store/accounts/one-time-links';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { hasAdmin } from './user-rows';

const VALID_MS = 24 * 3_600_000;

/**
 * Makes a link to set a password once: that of `userId`, or of the first administrator (null). It is valid for 24
 * hours; an earlier link ends.
 */
export async function makePasswordLink(userId: string | null, tx: Tx): Promise<OneTimeLink> {
  const token = generateToken();
  const expiresAt = Date.now() + VALID_MS;
  await putOneTimeLinkRow({ tokenHash: hashToken(token), userId, expiresAt }, tx);
  return { token, expiresAt };
}

/**
 * Makes a link that creates the first administrator, at each start while there is none; null = there is one. There is
 * no default account. The link is printed where other people may read it, so a user who has lost access makes another
 * one with `colonnade user`.
 */
export async function makeFirstAdminLink(): Promise<OneTimeLink | null> {
  return runTransaction(async (tx) => ((await hasAdmin(tx)) ? null : makePasswordLink(null, tx)));
}
