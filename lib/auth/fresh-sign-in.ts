import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { getSessionRow } from '@/lib/store/accounts/sessions';

const FRESH_MS = 5 * 60_000;

/**
 * Before an act on production, or one that makes another way in: the password was given in this session within the
 * last five minutes, so that an open browser is not enough. Whoever nobody signs in (single user, the command line on
 * this machine) is not asked.
 * Errors: `person_needed`, `fresh_sign_in_needed`, `sign_in_needed`.
 */
export async function assertFreshSignIn(actor: Actor, now = Date.now()): Promise<void> {
  if (actor.tokenId !== undefined)
    throw new AppError('person_needed', 'Only a person may do this, signed in with a password.');
  if (actor.sessionId === undefined) return;
  const session = await getSessionRow(actor.sessionId);
  if (session === null) throw new AppError('sign_in_needed', 'Sign in first.');
  const age = now - session.confirmedAt;
  // A clock that was set back makes nothing young.
  if (age < 0 || age >= FRESH_MS)
    throw new AppError('fresh_sign_in_needed', 'Enter your password again.', {
      minutes: FRESH_MS / 60_000,
    });
}
