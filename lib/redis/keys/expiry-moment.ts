/**
 * The largest epoch in ms that a number holds exactly; it is in the year 287,396. Servers accept later expiries, but
 * scripts, the journal and the archive could not store them exactly, so they use this value instead, and an undo
 * reports it.
 */
export const LAST_MOMENT = Number.MAX_SAFE_INTEGER;

/** Returns an expiry or a remaining time as a server reports it, at most `LAST_MOMENT`; null for any other reply. */
export function toExpiryMoment(reply: unknown): number | null {
  if (typeof reply === 'bigint') return reply > 0n ? LAST_MOMENT : null;
  return typeof reply === 'number' ? Math.min(reply, LAST_MOMENT) : null;
}
