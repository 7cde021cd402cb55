import { recordAudit } from '@/lib/access/audit/record';
import { hashToken } from '@/lib/access/auth/generate-token';
import { type Origin, startSession } from '@/lib/access/auth/sessions';
import { exchangeCode } from '@/lib/access/oidc/exchange-code';
import { findProvider } from '@/lib/access/oidc/read-providers';
import type { Provider } from '@/lib/model/accounts/oidc';
import { type Actor, ANONYMOUS } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteSessionRow } from '@/lib/store/accounts/sessions';
import { type SignInAttemptRow, takeSignInAttemptRow } from '@/lib/store/accounts/sign-in-attempts';
import { updateUserRow } from '@/lib/store/accounts/users';
import { runTransaction } from '@/lib/store/open-store';
import { type Admission, admitIdentity, toUserActor } from './admit-identity';
import { ATTEMPT_MS } from './begin-provider-sign-in';
import { confirmByProvider } from './confirm-by-provider';

/**
 * Finishes a sign-in when the browser returns from a provider. Returns the token of a new session (null = the current
 * session was confirmed) and the page to open next. `former` is the person who was signed in in this browser, whose
 * session ends. Errors: `not_found`, `provider_sign_in_lost`,
 * `provider_sign_in_failed`, `provider_unreachable`, `not_admitted`, `fresh_sign_in_unproven`, `sign_in_needed`.
 */
export async function finishProviderSignIn(
  providerId: string,
  { browserToken, parameters }: { browserToken: string | null; parameters: Record<string, string> },
  from: Origin,
  former: Actor,
): Promise<{ token: string | null; next: string }> {
  const provider = findProvider(providerId);
  if (provider === null) throw new AppError('not_found', 'There is no such identity provider.');
  const attempt = await takeAttempt(provider.id, { state: parameters.state, browserToken });
  const proof = { browserToken: browserToken ?? '', state: parameters.state ?? '', parameters };
  const identity = await exchangeCode(provider, proof).catch(async (error: unknown) => {
    await recordRefusal(provider, from, 'unknown', error instanceof AppError ? error.code : 'internal');
    throw error;
  });
  if (attempt.sessionId !== null) {
    await confirmByProvider(provider, identity, attempt, from, former);
    return { token: null, next: attempt.next };
  }
  const { admission, token } = await runTransaction(async (tx) => {
    const admitted = await admitIdentity(provider, identity, tx);
    if (!admitted.admitted) return { admission: admitted, token: null };
    const { user } = admitted;
    if (former.sessionId !== undefined) await deleteSessionRow(former.sessionId, former.id, tx);
    const now = Date.now();
    await updateUserRow(user.id, { lastSignInAt: now }, tx);
    const details = { address: from.address, provider: provider.id };
    await recordAudit(tx, { actor: toUserActor(user), action: 'session.start', subject: user.id, details });
    // The session is as fresh as the authentication at the provider, which may be an hour old; if the provider does not
    // report its time, the session is not fresh.
    const confirmedAt = Math.min(identity.authenticatedAt ?? 0, now);
    return {
      admission: admitted,
      token: await startSession(user.id, from, tx, { provider: provider.id, confirmedAt }),
    };
  });
  if (!admission.admitted) throw await refuseSignIn(provider, from, admission);
  return { token, next: attempt.next };
}

/** Records why a person is not admitted, and returns the error to throw. */
async function refuseSignIn(
  provider: Provider,
  from: Origin,
  { user, why }: Extract<Admission, { admitted: false }>,
): Promise<AppError> {
  await recordRefusal(provider, from, user?.id ?? 'unknown', why);
  // The exact reason is only in the audit log: it is not known who reads this error.
  return new AppError('not_admitted', `${provider.label} has signed you in, but you may not use Colonnade.`, {
    provider: provider.label,
  });
}

async function recordRefusal(provider: Provider, from: Origin, subject: string, why: string): Promise<void> {
  const details = { address: from.address, provider: provider.id, why };
  const entry = { actor: ANONYMOUS, action: 'session.start', subject, details };
  await runTransaction((tx) => recordAudit(tx, { ...entry, outcome: 'refused' }));
}

/**
 * Takes the attempt that the browser began; it is deleted whatever happens next. Errors: `provider_sign_in_lost` (begun
 * in another browser, used already, too old, or never begun).
 */
async function takeAttempt(
  provider: string,
  { state, browserToken }: { state: string | undefined; browserToken: string | null },
): Promise<SignInAttemptRow> {
  const now = Date.now();
  const taken =
    state === undefined || browserToken === null
      ? null
      : await runTransaction((tx) =>
          takeSignInAttemptRow({ stateHash: hashToken(state), browserHash: hashToken(browserToken), provider }, tx),
        );
  if (taken === null || now - taken.createdAt >= ATTEMPT_MS || now < taken.createdAt - ATTEMPT_MS)
    throw new AppError(
      'provider_sign_in_lost',
      'This sign-in was not started in this browser, was already used, or took too long.',
    );
  return taken;
}
