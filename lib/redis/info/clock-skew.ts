/**
 * Returns how far the server's clock is ahead of this process's clock, in ms (negative: behind). `theirs` is a server
 * time that was requested between the moments `before` and `after` of this process. The result is 0 if it lies between
 * them, because the time that the reply took is no difference.
 */
export const computeSkew = (theirs: number, before: number, after: number): number =>
  theirs < before ? theirs - before : theirs > after ? theirs - after : 0;

/**
 * A difference of at least this many ms is shown to people: machines without a time service commonly differ by less.
 */
const REPORTED_MS = 2000;

/** The message to show about a node's clock; null = nothing to show. */
export function describeClockSkew(
  skewMs: number | null | undefined,
): { code: 'clock_ahead' | 'clock_behind'; seconds: number } | null {
  if (skewMs === null || skewMs === undefined || Math.abs(skewMs) < REPORTED_MS) return null;
  return { code: skewMs > 0 ? 'clock_ahead' : 'clock_behind', seconds: Math.round(Math.abs(skewMs) / 1000) };
}

/** Returns `server_time_usec` of INFO as epoch ms; null before Redis 6.2, which does not report it. */
export function parseInfoTime(info: string): number | null {
  const reported = /^server_time_usec:(\d{10,20})/m.exec(info)?.[1];
  return reported === undefined ? null : Math.floor(Number(reported) / 1000);
}
