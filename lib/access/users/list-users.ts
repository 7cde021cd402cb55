import { verb } from '@/lib/access/auth/verb';
import { everywhere } from '@/lib/access/auth/verb-scopes';
import type { User } from '@/lib/model/accounts/accounts';
import type { Actor } from '@/lib/model/actor';
import { listUserRows } from '@/lib/store/accounts/users';
import { userOfRow } from './user-of-row';

/** Returns everyone with an account, by name. */
export const listUsers = verb({ needs: 'user.manage', on: everywhere }, async (_actor: Actor): Promise<User[]> => {
  const rows = await listUserRows();
  return Promise.all(rows.map((row) => userOfRow(row)));
});
