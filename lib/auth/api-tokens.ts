import { lowerRole } from '@/lib/model/access';
import { TOKEN_PREFIX } from '@/lib/model/accounts/api-tokens';
import type { Actor } from '@/lib/model/actor';
import { type ApiTokenRow, findApiTokenRow, touchApiTokenRow } from '@/lib/store/accounts/api-tokens';
import { getUserRow } from '@/lib/store/accounts/users';
import { grantsOf } from './grants-of';
import { rightsAreOver } from './sessions';
import { hashToken, newToken } from './token';
import { assertTokenTries, countUnknownToken, rememberToken } from './token-tries';
import { seenAt, touchWhenWritable } from './touch-when-writable';

const TOUCH_MS = 60_000;
const MAX_ADDRESS = 64;

export const newApiToken = (): string => `${TOKEN_PREFIX}${newToken()}`;

/** A clock that was set back behind its making ends it too. */
export const hasExpired = ({ createdAt, expiresAt }: ApiTokenRow, now: number): boolean =>
  now >= expiresAt || now < createdAt - TOUCH_MS;

/**
 * Whom a token stands for, with what person and token both have now; null = nobody (any more). Asked anew for each
 * request, so whatever is taken from either counts at once. `use`: a request, not a look whether it still holds.
 * Errors: `too_often` (this address has brought too many unknown ones).
 */
export async function actorOfApiToken(
  token: string,
  { address, use, now = Date.now() }: { address: string; use: boolean; now?: number },
): Promise<Actor | null> {
  const hash = hashToken(token);
  assertTokenTries(hash, address);
  const row = await findApiTokenRow(hash);
  const user = row === null || hasExpired(row, now) ? null : await getUserRow(row.userId);
  if (row === null || user === null || user.disabled || rightsAreOver(user, now)) {
    countUnknownToken(address);
    return null;
  }
  rememberToken(hash, address);
  const lastUsedAt = seenAt(row.id, row.lastUsedAt ?? Number.NEGATIVE_INFINITY);
  if (use && (now - lastUsedAt >= TOUCH_MS || lastUsedAt > now))
    await touchWhenWritable(row.id, now, () =>
      touchApiTokenRow(row.id, now, address.slice(0, MAX_ADDRESS), now - TOUCH_MS),
    );
  const grants = await grantsOf(user.id);
  return {
    id: user.id,
    name: `${user.name} (token ${row.name})`,
    role: lowerRole(user.role, row.role),
    grants: row.grants,
    lowerOf: [
      { role: user.role, grants },
      { role: row.role, grants: row.grants },
    ],
    tokenId: row.id,
    via: 'token',
  };
}
