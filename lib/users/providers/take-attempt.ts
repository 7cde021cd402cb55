import { hashToken } from '@/lib/auth/token';
import { AppError } from '@/lib/model/errors';
import { type SignInAttemptRow, takeSignInAttemptRow } from '@/lib/store/accounts/sign-in-attempts';
import { transaction } from '@/lib/store/open-store';
import { ATTEMPT_MS } from './begin-provider-sign-in';

/**
 * The attempt that a browser comes back from; it is gone afterwards, whatever comes of it. Errors:
 * `provider_sign_in_lost` (begun in another browser, used already, too old, or never begun).
 */
export async function takeAttempt(
  provider: string,
  { state, browserToken }: { state: string | undefined; browserToken: string | null },
): Promise<SignInAttemptRow> {
  const now = Date.now();
  const taken =
    state === undefined || browserToken === null
      ? null
      : await transaction((tx) =>
          takeSignInAttemptRow({ stateHash: hashToken(state), browserHash: hashToken(browserToken), provider }, tx),
        );
  if (taken === null || now - taken.createdAt >= ATTEMPT_MS || now < taken.createdAt - ATTEMPT_MS)
    throw new AppError(
      'provider_sign_in_lost',
      'This sign-in was not started in this browser, was already used, or took too long.',
    );
  return taken;
}
