import { type GrantTarget, may, type Permission } from '@/lib/model/access';
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
