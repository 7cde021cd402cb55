import type { RespChannel } from './resp-channel';
import { timeOfInfo } from './server-time';

/** Less than this may be the time that the answer took. */
const ALIKE_MS = 1000;

/**
 * How far the server's clock is ahead of ours, ms (behind: negative), of a time that was asked for between two moments
 * of ours. 0 where it lies between them: how long the answer took is no difference.
 */
export const skewOf = (theirs: number, before: number, after: number): number =>
  theirs < before ? theirs - before : theirs > after ? theirs - after : 0;

/** Apart by this much, ms, the clocks are shown to people: less is what machines without a time service have. */
const TOLD_MS = 2000;

/** What to tell of a node's clock; null = nothing. */
export function clockApart(
  skewMs: number | null | undefined,
): { code: 'clock_ahead' | 'clock_behind'; seconds: number } | null {
  if (skewMs === null || skewMs === undefined || Math.abs(skewMs) < TOLD_MS) return null;
  return { code: skewMs > 0 ? 'clock_ahead' : 'clock_behind', seconds: Math.round(Math.abs(skewMs) / 1000) };
}

/**
 * Whether the server's clock is another than ours. PEXPIRETIME tells a moment of that clock, while everything is
 * counted from ours: five minutes between the two would make keys of five minutes look expired, or those that end now
 * look new. PTTL needs no clock. false where the server does not tell.
 */
export async function clocksDiffer(channel: Pick<RespChannel, 'call'>): Promise<boolean> {
  const before = Date.now();
  const info = await channel.call(['INFO', 'server']);
  const after = Date.now();
  const theirs = timeOfInfo(String(info));
  return theirs !== null && Math.abs(skewOf(theirs, before, after)) > ALIKE_MS;
}
