/**
 * Failed attempts to sign in are limited: few per account and address, more per address, and most per account. An
 * attacker can lock out users of the same address (for IPv6 the /64), and from many addresses also an account, but only
 * where its user is new: from an address where they have signed in before, the third limit does not count. Memory is
 * bounded; a restart clears the counts.
 */

import { AppError } from '@/lib/model/errors';
import { toAddressGroup } from './address-group';

/** Tries are counted for this long, from the first one. */
const WINDOW_MS = 15 * 60_000;
const MAX_KEPT = 50_000;
const MAX_KNOWN = 10_000;
/** Tries within the window: of one account from one address, of all from one address, of one account from anywhere. */
export const TRIES = { pair: 10, address: 50, account: 100 };

/** `since`: epoch ms of the first try. */
interface Tries {
  count: number;
  since: number;
}
const tries = new Map<string, Tries>();

/** Pairs of address and account that have signed in, the latest last. */
const knownPairs = new Set<string>();

function listTryKeys(account: string, address: string): [keyof typeof TRIES, string][] {
  const group = toAddressGroup(address);
  return [
    ['pair', `pair ${group} ${account}`],
    ['address', `address ${group}`],
    ['account', `account ${account}`],
  ];
}

/** Counts an attempt before it is made, so that attempts at the same time are all counted. Errors: `too_often`. */
export function countTry(account: string, address: string, now = Date.now()): void {
  const keys = listTryKeys(account, address);
  const isKnown = knownPairs.has(keys[0]![1]);
  for (const [kind, key] of keys) {
    const found = tries.get(key);
    const current = found && now >= found.since && now - found.since < WINDOW_MS ? found : { count: 0, since: now };
    if (current.count >= TRIES[kind] && !(kind === 'account' && isKnown))
      throw new AppError('too_often', 'Too many attempts to sign in. Wait, or have the password reset.', {
        retryAfterSeconds: Math.ceil((current.since + WINDOW_MS - now) / 1000),
      });
    tries.delete(key);
    tries.set(key, { count: current.count + 1, since: current.since });
  }
  while (tries.size > MAX_KEPT) tries.delete(tries.keys().next().value as string);
}

/** Removes the count of this successful attempt, and all counts of this account at this address. */
export function forgetTries(account: string, address: string): void {
  const [[, pair], ...others] = listTryKeys(account, address) as [[string, string], ...[string, string][]];
  tries.delete(pair);
  knownPairs.delete(pair);
  knownPairs.add(pair);
  if (knownPairs.size > MAX_KNOWN) knownPairs.delete(knownPairs.keys().next().value as string);
  for (const [, key] of others) {
    const found = tries.get(key);
    if (found) tries.set(key, { ...found, count: found.count - 1 });
  }
}
