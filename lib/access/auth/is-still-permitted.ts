import { type GrantTarget, may, type Permission, pickLowerRole } from '@/lib/model/access';
import { type Actor, ENGINE, LOCAL_ADMIN } from '@/lib/model/actor';
import { getApiTokenRow } from '@/lib/store/accounts/api-tokens';
import { getUserRow } from '@/lib/store/accounts/users';
import type { Tx } from '@/lib/store/open-store';
import { hasExpired } from './api-tokens';
import { listAllGrants } from './list-all-grants';
import { hasExpiredRights } from './sessions';

/** The user who began something that is done later, stored with it. */
export interface Initiator {
  id: string;
  tokenId?: string;
}
export const toInitiator = ({ id, tokenId }: Actor): Initiator => ({ id, ...(tokenId !== undefined && { tokenId }) });

/** Local users and the engine have no account that could lose a right. */
const WITHOUT_ACCOUNT: readonly string[] = [LOCAL_ADMIN.id, ENGINE.id, 'cli'];

/**
 * Whether an initiator may do this on the instance now, by the role and grants that the user has today, and by those of
 * the token if it was begun with one. The session may have ended, but the account and the token must still be valid.
 */
export async function isStillPermitted(by: Initiator, needs: Permission, instance: GrantTarget): Promise<boolean> {
  if (WITHOUT_ACCOUNT.includes(by.id)) return true;
  const now = Date.now();
  const user = await getUserRow(by.id);
  if (user === null || hasExpiredRights(user, now) || !(await isAccountPermitted(by.id, needs, instance))) return false;
  if (by.tokenId === undefined) return true;
  const token = await getApiTokenRow(by.tokenId);
  return token !== null && token.userId === user.id && !hasExpired(token, now) && may(token, needs, instance);
}

/**
 * Returns the user who decided what is done now, as an actor with the rights of today; null: the account is disabled or
 * gone, or the token has ended. The decision stays valid even if the user has not signed in at their provider since.
 */
export async function findInitiator(by: Initiator, name: string): Promise<Actor | null> {
  if (WITHOUT_ACCOUNT.includes(by.id)) return { ...ENGINE, id: by.id, name };
  const user = await getUserRow(by.id);
  if (user === null || user.disabled) return null;
  const own = { role: user.role, grants: await listAllGrants(user.id) };
  const actor: Actor = { id: user.id, name: user.name, via: 'engine', ...own };
  if (by.tokenId === undefined) return actor;
  const token = await getApiTokenRow(by.tokenId);
  if (token === null || token.userId !== user.id || hasExpired(token, Date.now())) return null;
  const { role, grants } = token;
  return { ...actor, role: pickLowerRole(own.role, role), grants, tokenAndOwner: [own, { role, grants }] };
}

/**
 * Whether an account that decided something may still do so: it is not disabled and has the right now. The decision
 * stays valid even if the user has not signed in at their provider since.
 */
export async function isAccountPermitted(
  id: string,
  needs: Permission,
  instance: GrantTarget,
  tx?: Tx,
): Promise<boolean> {
  if (WITHOUT_ACCOUNT.includes(id)) return true;
  const user = await getUserRow(id, tx);
  return (
    user !== null && !user.disabled && may({ role: user.role, grants: await listAllGrants(id, tx) }, needs, instance)
  );
}
