/**
 * A destination entry is what a person names as belonging to an instance: `host:port` as the servers announce it, or a
 * range of IP addresses (`10.1.2.0/24:6379`) where nodes come and go. A range never admits host names, because the
 * owner of a name could point it into the range.
 */

import { isIP, isIPv4 } from 'node:net';
import { AppError } from '@/lib/model/errors';
import { formatAddress, parseAddress } from '@/lib/redis/connection/address';
import { parseAllowList, unwrapIp } from './address-ranges';
import { normalizeHost } from './normalize-host';

/** The shortest prefix that a range may have, in bits: a shorter one covers more addresses than one network has. */
const MIN_BITS = { ipv4: 16, ipv6: 64 };

/** Returns the one spelling of an entry that is stored and compared. Throws `bad_request` with the entry. */
export function toDestinationEntry(entry: string): string {
  const text = entry.trim();
  const createEntryError = (why: string) =>
    new AppError('bad_request', `"${text.slice(0, 120)}" ${why} Examples: redis-2.internal:6379, 10.1.2.0/24:6379`, {
      field: 'destinations',
      entry: text.slice(0, 120),
    });
  const range = /\/(\d{1,3})/.exec(text);
  if (range) {
    const min = isIPv4(text.split('/')[0] ?? '') ? MIN_BITS.ipv4 : MIN_BITS.ipv6;
    if (Number(range[1]) < min) throw createEntryError(`is too wide a range: at least /${min}.`);
    if (/[\s,]/.test(text)) throw createEntryError('is not one range.');
    try {
      parseAllowList(text);
    } catch {
      throw createEntryError('is not a range of addresses.');
    }
    return text.toLowerCase();
  }
  const address = parseAddress(text);
  const host = address && normalizeHost(address.host);
  if (!address || !host) throw createEntryError('is neither host:port nor a range.');
  return formatAddress(isIP(host) ? unwrapIp(host) : host, address.port);
}

/** Returns a function that checks whether the entries cover a host (in its plain spelling) with its port. */
export function createEntryMatcher(entries: readonly string[]): (host: string, port: number) => boolean {
  const exact = new Set<string>();
  const ranges: string[] = [];
  for (const entry of entries) entry.includes('/') ? ranges.push(entry) : exact.add(entry);
  const isInRange = parseAllowList(ranges.join(','));
  return (host, port) => {
    const ip = isIP(host) ? unwrapIp(host) : null;
    return exact.has(formatAddress(ip ?? host, port)) || (ip !== null && isInRange?.(ip, port) === true);
  };
}
