/**
 * The last moment in milliseconds that a number tells exactly: in the year 287,396. Servers take later ones; scripts,
 * the journal and the archive could not keep them, so they stand for them by this one, and an undo says so.
 */
export const LAST_MOMENT = Number.MAX_SAFE_INTEGER;

/** An expiry, or a rest of time, as a server tells it; what is no such answer is null. */
export function momentOf(reply: unknown): number | null {
  if (typeof reply === 'bigint') return reply > 0n ? LAST_MOMENT : null;
  return typeof reply === 'number' ? Math.min(reply, LAST_MOMENT) : null;
}
