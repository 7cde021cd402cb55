import { type Granted, may, type Permission } from '@/lib/model/access';
import { type Actor, ENGINE, LOCAL_ADMIN } from '@/lib/model/actor';
import { getApiTokenRow } from '@/lib/store/accounts/api-tokens';
import { getUserRow } from '@/lib/store/accounts/users';
import type { Tx } from '@/lib/store/open-store';
import { hasExpired } from './api-tokens';
import { grantsOf } from './grants-of';
import { rightsAreOver } from './sessions';

/** Who began something that is done later, to be kept beside it. */
export interface Beginner {
  id: string;
  tokenId?: string;
}
export const beginnerOf = ({ id, tokenId }: Actor): Beginner => ({ id, ...(tokenId !== undefined && { tokenId }) });

/** Whoever uses the machine itself has no account that could lose anything. */
const WITHOUT_ACCOUNT: readonly string[] = [LOCAL_ADMIN.id, ENGINE.id, 'cli'];

/**
 * Whether they may do it on that instance now: by the role and grants that person has today, and by those of the token
 * where it was begun with one. A session need not last as long, an account and a token do.
 */
export async function stillMay(by: Beginner, needs: Permission, instance: Granted, now = Date.now()): Promise<boolean> {
  if (WITHOUT_ACCOUNT.includes(by.id)) return true;
  const user = await getUserRow(by.id);
  if (user === null || rightsAreOver(user, now) || !(await accountMay(by.id, needs, instance))) return false;
  if (by.tokenId === undefined) return true;
  const token = await getApiTokenRow(by.tokenId);
  return token !== null && token.userId === user.id && !hasExpired(token, now) && may(token, needs, instance);
}

/**
 * Whether an account that decided something may still do so: it is not disabled and has the right now. That somebody
 * has not signed in at their provider since takes nothing back.
 */
export async function accountMay(id: string, needs: Permission, instance: Granted, tx?: Tx): Promise<boolean> {
  if (WITHOUT_ACCOUNT.includes(id)) return true;
  const user = await getUserRow(id, tx);
  return user !== null && !user.disabled && may({ role: user.role, grants: await grantsOf(id, tx) }, needs, instance);
}
