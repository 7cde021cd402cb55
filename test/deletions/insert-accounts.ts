import type { Actor } from '../../lib/model/actor';
import { insertUserRow } from '../../lib/store/accounts/users';
import { runTransaction } from '../../lib/store/open-store';

/**
 * Inserts accounts for the users that a test makes up, because the account of a person who decided something is looked
 * up later.
 */
export const insertAccounts = (people: readonly Actor[]): Promise<void> =>
  runTransaction(async (tx) => {
    for (const { id, name, role } of people)
      await insertUserRow({ id, name, role, password: null, disabled: false, createdAt: 0, lastSignInAt: null }, tx);
  });
