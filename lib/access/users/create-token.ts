import { recordAudit } from '@/lib/access/audit/record';
import { newApiToken } from '@/lib/access/auth/api-tokens';
import { grantsOf } from '@/lib/access/auth/grants-of';
import { hashToken } from '@/lib/access/auth/token';
import { verb } from '@/lib/access/auth/verb';
import { own } from '@/lib/access/auth/verb-scopes';
import { allows, type Grant, lowerRole, type Role } from '@/lib/model/access';
import type { ApiToken, ApiTokenInput } from '@/lib/model/accounts/api-tokens';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import {
  type ApiTokenRow,
  deleteExpiredApiTokenRows,
  hasApiTokenNamed,
  insertApiTokenRow,
  listApiTokenRows,
} from '@/lib/store/accounts/api-tokens';
import type { UserRow } from '@/lib/store/accounts/users';
import { newId } from '@/lib/store/new-id';
import { type Tx, transaction } from '@/lib/store/open-store';
import { assertGrants } from './assert-grants';
import { tokenOfRow } from './token-of-row';
import { userRowOrThrow } from './user-of-row';

const DAY_MS = 86_400_000;
const MAX_TOKENS = 50;
const KEPT_AFTER_END_MS = 30 * DAY_MS;

/**
 * Creates a token for the actor, or for another user (`userId`) if the actor is an administrator. Its text is returned
 * here and stored nowhere. Errors: `bad_request`, `forbidden` (more rights than its user has), `conflict` (name, or the
 * limit is reached).
 */
export const createToken = verb(
  {
    needs: 'account.manage',
    on: own,
    action: 'api_token.add',
    fresh: 'always',
    subject: ({ name }: ApiTokenInput) => name,
  },
  async (
    actor: Actor,
    { name, role, grants, days }: ApiTokenInput,
    userId: string = actor.id,
  ): Promise<{ token: ApiToken; secret: string }> => {
    assertGrants(grants);
    if (role === 'none' && grants.length === 0)
      throw new AppError('bad_request', 'A token without a role needs a grant: it could do nothing.', {
        field: 'role',
      });
    if (userId !== actor.id && !allows(actor.role, 'user.manage'))
      throw new AppError('forbidden', 'Only administrators create tokens for other users.', { needs: 'admin' });
    const secret = newApiToken();
    const now = Date.now();
    return transaction(async (tx) => {
      const user = await userRowOrThrow(userId, tx);
      if (user.disabled) throw new AppError('conflict', `${user.name} is disabled.`, { id: userId });
      await assertNoMore(user, { role, grants }, tx);
      await deleteExpiredApiTokenRows(userId, now - KEPT_AFTER_END_MS, tx);
      if (await hasApiTokenNamed(userId, name, tx))
        throw new AppError('conflict', `${user.name} has a token named ${name} already.`, { field: 'name' });
      if ((await listApiTokenRows(userId, tx)).length >= MAX_TOKENS)
        throw new AppError('conflict', `${user.name} has ${MAX_TOKENS} tokens. Revoke one first.`, { id: userId });
      const row: ApiTokenRow = {
        id: newId(now),
        tokenHash: hashToken(secret),
        userId,
        name,
        role,
        grants,
        createdAt: now,
        expiresAt: now + days * DAY_MS,
        lastUsedAt: null,
        lastAddress: null,
      };
      const details = { name, user: user.name, role, grants, days };
      await recordAudit(tx, { actor, action: 'api_token.add', subject: row.id, details });
      await insertApiTokenRow(row, tx);
      return { token: await tokenOfRow(row, tx), secret };
    });
  },
);

/**
 * A token never has more rights than its user; this reports it at once instead of at the first use. A grant may cover
 * an instance where only another grant of that user applies; that is checked when the token is used.
 */
async function assertNoMore(user: UserRow, { role, grants }: { role: Role; grants: Grant[] }, tx: Tx): Promise<void> {
  const own = await grantsOf(user.id, tx);
  const highest = own.reduce<Role>(
    (best, grant) => (lowerRole(best, grant.role) === best ? grant.role : best),
    user.role,
  );
  const wanted =
    role !== lowerRole(role, user.role) ? role : grants.find((one) => one.role !== lowerRole(one.role, highest))?.role;
  if (wanted !== undefined)
    throw new AppError('forbidden', `A token cannot be ${wanted}: ${user.name} is ${user.role}.`, {
      needs: wanted,
      has: user.role,
    });
}
