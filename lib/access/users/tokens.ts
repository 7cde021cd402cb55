import { recordAudit } from '@/lib/access/audit/record';
import { generateApiToken } from '@/lib/access/auth/api-tokens';
import { hashToken } from '@/lib/access/auth/generate-token';
import { listAllGrants } from '@/lib/access/auth/list-all-grants';
import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import { type Grant, pickLowerRole, type Role, roleAllows } from '@/lib/model/access';
import type { ApiToken, ApiTokenInput } from '@/lib/model/accounts/api-tokens';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import {
  type ApiTokenRow,
  deleteApiTokenRow,
  deleteExpiredApiTokenRows,
  getApiTokenRow,
  hasApiTokenNamed,
  insertApiTokenRow,
  listApiTokenRows,
} from '@/lib/store/accounts/api-tokens';
import { getUserRow, type UserRow } from '@/lib/store/accounts/users';
import { generateId } from '@/lib/store/generate-id';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { assertGrants } from './assert-grants';
import { getUserRowOrThrow } from './user-rows';

const DAY_MS = 86_400_000;
const MAX_TOKENS = 50;
/** An expired token is listed for this long, so that its user sees why a program is refused. */
const KEPT_AFTER_END_MS = 30 * DAY_MS;

/**
 * Creates a token for the actor, or for another user (`userId`) if the actor is an administrator. Its text is returned
 * here and stored nowhere. Errors: `bad_request`, `forbidden` (more rights than its user has), `conflict` (name, or the
 * limit is reached).
 */
export const createToken = verb(
  {
    needs: 'account.manage',
    on: scopeToOwn,
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
    if (userId !== actor.id && !roleAllows(actor.role, 'user.manage'))
      throw new AppError('forbidden', 'Only administrators create tokens for other users.', { needs: 'admin' });
    const secret = generateApiToken();
    const now = Date.now();
    return runTransaction(async (tx) => {
      const user = await getUserRowOrThrow(userId, tx);
      if (user.disabled) throw new AppError('conflict', `${user.name} is disabled.`, { id: userId });
      await assertNoExtraRights(user, { role, grants }, tx);
      await deleteExpiredApiTokenRows(userId, now - KEPT_AFTER_END_MS, tx);
      if (await hasApiTokenNamed(userId, name, tx))
        throw new AppError('conflict', `${user.name} has a token named ${name} already.`, { field: 'name' });
      if ((await listApiTokenRows(userId, tx)).length >= MAX_TOKENS)
        throw new AppError('conflict', `${user.name} has ${MAX_TOKENS} tokens. Revoke one first.`, { id: userId });
      const row: ApiTokenRow = {
        id: generateId(now),
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
      return { token: await toApiToken(row, tx), secret };
    });
  },
);

/**
 * A token never has more rights than its user; this reports it at once instead of at the first use. A grant may cover
 * an instance where only another grant of that user applies; that is checked when the token is used.
 */
async function assertNoExtraRights(
  user: UserRow,
  { role, grants }: { role: Role; grants: Grant[] },
  tx: Tx,
): Promise<void> {
  const own = await listAllGrants(user.id, tx);
  const highest = own.reduce<Role>(
    (best, grant) => (pickLowerRole(best, grant.role) === best ? grant.role : best),
    user.role,
  );
  const wanted =
    role !== pickLowerRole(role, user.role)
      ? role
      : grants.find((one) => one.role !== pickLowerRole(one.role, highest))?.role;
  if (wanted !== undefined)
    throw new AppError('forbidden', `A token cannot be ${wanted}: ${user.name} is ${user.role}.`, {
      needs: wanted,
      has: user.role,
    });
}

/** Returns the actor's tokens, for administrators everyone's, by name. Expired tokens are listed for a while. */
export const listTokens = verb(
  { needs: 'account.manage', on: scopeToOwn },
  async (actor: Actor): Promise<ApiToken[]> => {
    const rows = await listApiTokenRows(roleAllows(actor.role, 'user.manage') ? null : actor.id);
    return Promise.all(rows.map((row) => toApiToken(row)));
  },
);

/**
 * Ends a token of the actor, or any token if the actor is an administrator. Errors: `not_found`, also for a token of
 * somebody else, so that its existence is not revealed.
 */
export const revokeToken = verb(
  { needs: 'account.manage', on: scopeToOwn, action: 'api_token.revoke' },
  async (actor: Actor, id: string): Promise<{ id: string }> => {
    await runTransaction(async (tx) => {
      const row = await getApiTokenRow(id, tx);
      if (row === null || (row.userId !== actor.id && !roleAllows(actor.role, 'user.manage')))
        throw new AppError('not_found', 'You have no such token.', { id });
      const { name } = await getUserRowOrThrow(row.userId, tx);
      const details = { name: row.name, user: name };
      await recordAudit(tx, { actor, action: 'api_token.revoke', subject: id, details });
      await deleteApiTokenRow(id, tx);
    });
    return { id };
  },
);

/** Returns what may be shown of a token: never its hash. */
async function toApiToken(row: ApiTokenRow, tx?: Tx): Promise<ApiToken> {
  const { tokenHash: _, userId, ...shown } = row;
  const user = await getUserRow(userId, tx);
  return { ...shown, user: { id: userId, name: user?.name ?? '', disabled: user?.disabled ?? true } };
}
