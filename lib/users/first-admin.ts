import type { OneTimeLink } from '@/lib/model/accounts';
import { transaction } from '@/lib/store/open-store';
import { makeLink } from './make-link';
import { hasOtherAdmin } from './user-of-row';

/** There is no default account: while nobody can manage users, the start makes a link that creates who can. */
export async function firstAdminLink(): Promise<OneTimeLink | null> {
  return transaction(async (tx) => ((await hasOtherAdmin(null, tx)) ? null : makeLink(null, tx)));
}
