import { generateToken, hashToken } from '@/lib/access/auth/generate-token';
import type { OneTimeLink } from '@/lib/model/accounts/accounts';
import { putOneTimeLinkRow } from '@/lib/store/accounts/one-time-links';
import type { Tx } from '@/lib/store/open-store';

const VALID_MS = 24 * 3_600_000;

/**
 * Makes a link to set a password once: that of `userId`, or of the first administrator (null). It is valid for 24
 * hours; an earlier link ends.
 */
export async function makePasswordLink(userId: string | null, tx: Tx, now = Date.now()): Promise<OneTimeLink> {
  const token = generateToken();
  const expiresAt = now + VALID_MS;
  await putOneTimeLinkRow({ tokenHash: hashToken(token), userId, expiresAt }, tx);
  return { token, expiresAt };
}
