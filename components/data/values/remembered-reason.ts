/**
 * The reason why a person read values of an instance, kept by this page for a while, so that the next key does not ask
 * for it again. The server does not keep it: every read is sent, and recorded, with its reason.
 */
const KEEP_MS = 15 * 60_000;
const reasons = new Map<string, { reason: string; at: number }>();

export function rememberReason(instanceId: string, reason: string, now = Date.now()): void {
  reasons.set(instanceId, { reason, at: now });
}

export function getRememberedReason(instanceId: string, now = Date.now()): string {
  const kept = reasons.get(instanceId);
  return kept && now - kept.at >= 0 && now - kept.at < KEEP_MS ? kept.reason : '';
}
