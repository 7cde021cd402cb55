import type { OneTimeLink } from '@/lib/model/accounts/accounts';
import { runTransaction } from '@/lib/store/open-store';
import { makePasswordLink } from './make-password-link';
import { hasAdmin } from './user-rows';

/**
 * Makes a link that creates the first administrator, at each start while there is none; null = there is one. There is
 * no default account. The link is printed where other people may read it, so a user who has lost access makes another
 * one with `colonnade user`.
 */
export async function makeFirstAdminLink(): Promise<OneTimeLink | null> {
  return runTransaction(async (tx) => ((await hasAdmin(tx)) ? null : makePasswordLink(null, tx)));
}
