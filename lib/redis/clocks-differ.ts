import type { RespChannel } from './resp-channel';

/** Less than this may be the time that the answer took. */
const ALIKE_MS = 1000;

/**
 * Whether the server's clock is another than ours. PEXPIRETIME tells a moment of that clock, while everything is counted from ours:
 * five minutes between the two would make keys of five minutes look expired, or those that end now look new. PTTL needs no clock.
 * false where the server does not tell.
 */
export async function clocksDiffer(channel: Pick<RespChannel, 'call'>): Promise<boolean> {
  const before = Date.now();
  const info = await channel.call(['INFO', 'server']);
  const after = Date.now();
  const told = /^server_time_usec:(\d{10,20})/m.exec(String(info))?.[1];
  if (told === undefined) return false;
  const theirs = Number(told) / 1000;
  return theirs < before - ALIKE_MS || theirs > after + ALIKE_MS;
}
