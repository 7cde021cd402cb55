import { recordAudit } from '@/lib/access/audit/record';
import type { Origin } from '@/lib/access/auth/sessions';
import type { Identity, Provider } from '@/lib/model/accounts/oidc';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { findIdentityUserId } from '@/lib/store/accounts/identities';
import { confirmSessionRow } from '@/lib/store/accounts/sessions';
import type { SignInAttemptRow } from '@/lib/store/accounts/sign-in-attempts';
import { runTransaction } from '@/lib/store/open-store';
import { admitIdentity } from './admit-identity';

/** How far the clocks of provider and server may differ, ms. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/**
 * Confirms a session after its user has authenticated at the provider again: it counts as fresh from the time that the
 * provider reports. The user's groups are read again, too. Errors: `fresh_sign_in_unproven` (another person, or the
 * provider does not report that it was just now), `sign_in_needed` (the session ended, or the rights have changed).
 */
export async function confirmByProvider(
  provider: Provider,
  identity: Identity,
  attempt: SignInAttemptRow,
  from: Origin,
  actor: Actor,
): Promise<void> {
  const { sessionId } = actor;
  const { authenticatedAt } = identity;
  const hasSignedInAgain = authenticatedAt !== null && authenticatedAt >= attempt.createdAt - MAX_CLOCK_DIFFERENCE_MS;
  // Results are returned and thrown after the transaction: a throw inside would roll back the audit row and the ended
  // sessions.
  const outcome = await runTransaction(async (tx): Promise<'done' | 'ended' | 'unproven'> => {
    if (sessionId === undefined || sessionId !== attempt.sessionId) return 'ended';
    const isSamePerson = (await findIdentityUserId(identity.issuer, identity.subject, tx)) === actor.id;
    const details = { address: from.address, provider: provider.id };
    const entry = { actor, action: 'session.confirm', subject: actor.id, details };
    if (!isSamePerson || !hasSignedInAgain) {
      // Stored in the audit log and translated in messages/*/audit.json.
      const why = isSamePerson ? 'not said to be just now' : 'another person';
      await recordAudit(tx, { ...entry, details: { ...details, why }, outcome: 'refused' });
      return 'unproven';
    }
    // admitIdentity also ends every session of a user whose rights have changed, so this one may have ended now.
    const admission = await admitIdentity(provider, identity, tx);
    if (!admission.admitted || !(await confirmSessionRow(sessionId, Math.min(authenticatedAt, Date.now()), tx)))
      return 'ended';
    await recordAudit(tx, entry);
    return 'done';
  });
  if (outcome === 'ended') throw new AppError('sign_in_needed', 'Sign in first.');
  if (outcome === 'unproven')
    throw new AppError(
      'fresh_sign_in_unproven',
      `${provider.label} does not prove that you signed in just now (auth_time), or it was another person.`,
      { provider: provider.label },
    );
}
