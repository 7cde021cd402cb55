import { toAddressGroup } from '@/lib/access/auth/address-group';
import { generateToken, hashToken } from '@/lib/access/auth/generate-token';
import { buildAuthorizationAddress } from '@/lib/access/oidc/authorization-address';
import { findProvider } from '@/lib/access/oidc/read-providers';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import {
  countSignInAttemptRows,
  deleteOldestSignInAttemptRows,
  deleteOldSignInAttemptRows,
  insertSignInAttemptRow,
} from '@/lib/store/accounts/sign-in-attempts';
import { runTransaction } from '@/lib/store/open-store';

/** How long a person may take at the provider. */
export const ATTEMPT_MS = 10 * 60_000;
/** An attempt that is newer than now by more than this was begun before the clock was set back. */
const SKEW_MS = 60_000;
/** Unfinished attempts that are kept: from one address, and of all. */
const MAX_OPEN = { address: 1000, all: 10_000 };

/**
 * Begins a sign-in and returns the address of the provider. `browserToken` is the text in the cookie of the browser
 * (null = none yet); several attempts of one browser share it. Errors: `not_found`, `provider_unreachable`,
 * `sign_in_needed` (to confirm, a session is required).
 */
export async function beginProviderSignIn(
  providerId: string,
  asked: { browserToken: string | null; next: string; confirms: boolean; address: string },
  actor: Actor,
): Promise<{ location: string; browserToken: string }> {
  const provider = findProvider(providerId);
  if (provider === null) throw new AppError('not_found', 'There is no such identity provider.');
  const sessionId = asked.confirms ? (actor.sessionId ?? null) : null;
  if (asked.confirms && sessionId === null) throw new AppError('sign_in_needed', 'Sign in first.');
  const state = generateToken();
  const browserToken = asked.browserToken ?? generateToken();
  const location = await buildAuthorizationAddress(provider, { browserToken, state, again: asked.confirms });
  await runTransaction(async (tx) => {
    const now = Date.now();
    const address = toAddressGroup(asked.address);
    await deleteOldSignInAttemptRows(now - ATTEMPT_MS, now + SKEW_MS, tx);
    // Many unfinished attempts must not block other people, neither from other addresses nor from the same one, because
    // a proxy or an office has one address too. Instead the oldest are deleted, sooner than those of people who
    // confirm.
    for (const [from, max] of [[address, MAX_OPEN.address] as const, [null, MAX_OPEN.all] as const])
      await deleteOldestSignInAttemptRows(from, (await countSignInAttemptRows(from, tx)) - max + 1, tx);
    const row = { stateHash: hashToken(state), browserHash: hashToken(browserToken), provider: provider.id, sessionId };
    await insertSignInAttemptRow({ ...row, next: asked.next, address, createdAt: now }, tx);
  });
  return { location, browserToken };
}
