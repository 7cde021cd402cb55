import { pickLowerRole } from '@/lib/model/access';
import { TOKEN_PREFIX } from '@/lib/model/accounts/api-tokens';
import type { Actor } from '@/lib/model/actor';
import { type ApiTokenRow, findApiTokenRow, touchApiTokenRow } from '@/lib/store/accounts/api-tokens';
import { getUserRow } from '@/lib/store/accounts/users';
import { generateToken, hashToken } from './generate-token';
import { listAllGrants } from './list-all-grants';
import { hasExpiredRights } from './sessions';
import { assertTokenTries, countUnknownToken, rememberToken } from './token-tries';
import { getLastSeen, touchWhenWritable } from './touch-when-writable';

const TOUCH_MS = 60_000;
const MAX_ADDRESS = 64;

export const generateApiToken = (): string => `${TOKEN_PREFIX}${generateToken()}`;

/** A token has also ended if the clock is now before its creation by more than `TOUCH_MS`. */
export const hasExpired = ({ createdAt, expiresAt }: ApiTokenRow, now: number): boolean =>
  now >= expiresAt || now < createdAt - TOUCH_MS;

/**
 * Returns the actor of a token, with the rights that user and token both have now; null = the token is unknown or has
 * ended. It is read again for each request, so a right that is taken from either ends at once. `use`: true for a
 * request, false for a check whether the token is still valid. Errors: `too_often` (this address has sent too many
 * unknown tokens).
 */
export async function findApiTokenActor(
  token: string,
  { address, use, now = Date.now() }: { address: string; use: boolean; now?: number },
): Promise<Actor | null> {
  const hash = hashToken(token);
  assertTokenTries(hash, address);
  const row = await findApiTokenRow(hash);
  const user = row === null || hasExpired(row, now) ? null : await getUserRow(row.userId);
  if (row === null || user === null || user.disabled || hasExpiredRights(user, now)) {
    countUnknownToken(address);
    return null;
  }
  rememberToken(hash, address);
  const lastUsedAt = getLastSeen(row.id, row.lastUsedAt ?? Number.NEGATIVE_INFINITY);
  if (use && (now - lastUsedAt >= TOUCH_MS || lastUsedAt > now))
    await touchWhenWritable(row.id, now, () =>
      touchApiTokenRow(row.id, now, address.slice(0, MAX_ADDRESS), now - TOUCH_MS),
    );
  const grants = await listAllGrants(user.id);
  return {
    id: user.id,
    name: `${user.name} (token ${row.name})`,
    role: pickLowerRole(user.role, row.role),
    grants: row.grants,
    tokenAndOwner: [
      { role: user.role, grants },
      { role: row.role, grants: row.grants },
    ],
    tokenId: row.id,
    via: 'token',
  };
}
