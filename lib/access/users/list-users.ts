import { verb } from '@/lib/access/auth/verb';
import { scopeToAll } from '@/lib/access/auth/verb-scopes';
import type { User } from '@/lib/model/accounts/accounts';
import type { Actor } from '@/lib/model/actor';
import { listUserRows } from '@/lib/store/accounts/users';
import { toUser } from './user-rows';

/** Returns everyone with an account, by name. */
export const listUsers = verb({ needs: 'user.manage', on: scopeToAll }, async (_actor: Actor): Promise<User[]> => {
  const rows = await listUserRows();
  return Promise.all(rows.map((row) => toUser(row)));
});
