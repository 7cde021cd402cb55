import type { OneTimeLink } from '@/lib/model/accounts/accounts';
import { transaction } from '@/lib/store/open-store';
import { makeLink } from './make-link';
import { hasAdmin } from './user-of-row';

/**
 * There is no default account: while there is no administrator, the start makes a link that creates one. Where it is
 * printed others may read it, so whoever has lost the way in takes another: `colonnade user`.
 */
export async function firstAdminLink(): Promise<OneTimeLink | null> {
  return transaction(async (tx) => ((await hasAdmin(tx)) ? null : makeLink(null, tx)));
}
