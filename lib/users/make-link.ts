import { hashToken, newToken } from '@/lib/auth/token';
import type { OneTimeLink } from '@/lib/model/accounts/accounts';
import { putOneTimeLinkRow } from '@/lib/store/accounts/one-time-links';
import type { Tx } from '@/lib/store/open-store';

const VALID_MS = 24 * 3_600_000;

/** By which somebody sets a password once: of `userId`, or as the first administrator. An earlier one ends. */
export async function makeLink(userId: string | null, tx: Tx, now = Date.now()): Promise<OneTimeLink> {
  const token = newToken();
  const expiresAt = now + VALID_MS;
  await putOneTimeLinkRow({ tokenHash: hashToken(token), userId, expiresAt }, tx);
  return { token, expiresAt };
}
