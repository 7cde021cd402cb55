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
const SKEW_MS = 60_000;

/**
 * Confirms a session after its user has authenticated at the provider again: it counts as fresh from the time that the
 * provider reports. The groups are checked too. Errors: `fresh_sign_in_unproven` (another person, or the provider does
 * not report that it was just now), `sign_in_needed` (the session ended, or the rights have changed).
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
  const proven = authenticatedAt !== null && authenticatedAt >= attempt.createdAt - SKEW_MS;
  const outcome = await runTransaction(async (tx): Promise<'done' | 'ended' | 'unproven'> => {
    if (sessionId === undefined || sessionId !== attempt.sessionId) return 'ended';
    const same = (await findIdentityUserId(identity.issuer, identity.subject, tx)) === actor.id;
    const details = { address: from.address, provider: provider.id };
    const entry = { actor, action: 'session.confirm', subject: actor.id, details };
    if (!same || !proven) {
      const why = same ? 'not said to be just now' : 'another person';
      await recordAudit(tx, { ...entry, details: { ...details, why }, outcome: 'refused' });
      return 'unproven';
    }
    // A user who has lost a group since loses the session too.
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
