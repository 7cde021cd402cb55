/**
 * The reason why a person read values of an instance, kept by this page for a while, so that the next key does not ask
 * for it again. The server does not keep it: every read is sent, and recorded, with its reason.
 */

const KEEP_MS = 15 * 60_000;
const reasons = new Map<string, { reason: string; at: number }>();

export function rememberReason(instanceId: string, reason: string): void {
  reasons.set(instanceId, { reason, at: Date.now() });
}

/** Returns the last reason; '': there is none, it is too old, or the clock was set back. */
export function getRememberedReason(instanceId: string): string {
  const kept = reasons.get(instanceId);
  const age = kept ? Date.now() - kept.at : Number.POSITIVE_INFINITY;
  return kept && age >= 0 && age < KEEP_MS ? kept.reason : '';
}
