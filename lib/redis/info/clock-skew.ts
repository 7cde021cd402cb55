/**
 * How far the server's clock is ahead of our clock, ms (behind: negative), of a time that was asked for between two
 * moments of Colonnade. 0 where it lies between them: how long the answer took is no difference.
 */
export const skewOf = (theirs: number, before: number, after: number): number =>
  theirs < before ? theirs - before : theirs > after ? theirs - after : 0;

/** Apart by this much, ms, the clocks are shown to people: less is what machines without a time service have. */
const REPORTED_MS = 2000;

/** What to tell of a node's clock; null = nothing. */
export function clockApart(
  skewMs: number | null | undefined,
): { code: 'clock_ahead' | 'clock_behind'; seconds: number } | null {
  if (skewMs === null || skewMs === undefined || Math.abs(skewMs) < REPORTED_MS) return null;
  return { code: skewMs > 0 ? 'clock_ahead' : 'clock_behind', seconds: Math.round(Math.abs(skewMs) / 1000) };
}

/** `server_time_usec` of INFO as epoch ms; reported by Redis 6.2 and later. */
export function timeOfInfo(info: string): number | null {
  const reported = /^server_time_usec:(\d{10,20})/m.exec(info)?.[1];
  return reported === undefined ? null : Math.floor(Number(reported) / 1000);
}
