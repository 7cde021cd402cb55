/**
 * Unknown tokens are counted per address, for IPv6 per /64. Above the limit no other token from there is even looked
 * up, but tokens that were valid from there still work, so that a program with an expired token does not block its
 * neighbours. Memory is bounded; a restart clears the counts.
 */

import { AppError } from '@/lib/model/errors';
import { toAddressGroup } from './address-group';

/** Tries are counted for this long, from the first one. */
const WINDOW_MS = 15 * 60_000;
const MAX_ADDRESSES = 50_000;
const MAX_KNOWN = 10_000;
/** Unknown tokens that an address may send within the window. */
export const UNKNOWN_TOKENS = 50;

/** `since`: epoch ms of the first try. */
interface Tries {
  count: number;
  since: number;
}
/** The key is a group of addresses. */
const triesByGroup = new Map<string, Tries>();
/** Groups and hashes of tokens that were valid from there, the latest last. */
const validTokens = new Set<string>();

const findCurrent = (group: string, now: number): Tries | null => {
  const found = triesByGroup.get(group);
  return found && now >= found.since && now - found.since < WINDOW_MS ? found : null;
};

/** Throws `too_often` if the address has sent too many unknown tokens. */
export function assertTokenTries(hash: string, address: string, now = Date.now()): void {
  const group = toAddressGroup(address);
  const tries = findCurrent(group, now);
  if (tries === null || tries.count < UNKNOWN_TOKENS || validTokens.has(`${group} ${hash}`)) return;
  throw new AppError('too_often', 'Too many invalid tokens from this address. Wait, then use a valid one.', {
    retryAfterSeconds: Math.ceil((tries.since + WINDOW_MS - now) / 1000),
  });
}

export function countUnknownToken(address: string, now = Date.now()): void {
  const group = toAddressGroup(address);
  const { count, since } = findCurrent(group, now) ?? { count: 0, since: now };
  triesByGroup.delete(group);
  triesByGroup.set(group, { count: count + 1, since });
  if (triesByGroup.size > MAX_ADDRESSES) triesByGroup.delete(triesByGroup.keys().next().value as string);
}

export function rememberToken(hash: string, address: string): void {
  const key = `${toAddressGroup(address)} ${hash}`;
  validTokens.delete(key);
  validTokens.add(key);
  if (validTokens.size > MAX_KNOWN) validTokens.delete(validTokens.keys().next().value as string);
}
