import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import {
  isAllowedByDefault,
  isNeverAllowed,
  parseAllowList,
  unwrapIp,
} from '@/lib/redis/connection/destinations/address-ranges';
import { normalizeHost } from '@/lib/redis/connection/destinations/normalize-host';
import { withTimeout } from '@/lib/redis/connection/with-timeout';
import { config } from '@/lib/runtime/config';
import { SendError } from './send-error';

const RESOLVE_MS = 5000;
/** Ranges that are not public and that the rules for Redis do not list as private: providers use them inside. */
const SHARED = new BlockList();
for (const [ip, bits] of [
  ['100.64.0.0', 10],
  ['192.0.0.0', 24],
  ['198.18.0.0', 15],
] as const)
  SHARED.addSubnet(ip, bits, 'ipv4');

export interface JudgedAddress {
  address: string;
  family: 4 | 6;
  /** COLONNADE_NOTIFY lists it. */
  isListed: boolean;
}
type Lookup = (host: string) => Promise<{ address: string }[]>;
const lookUpBySystem: Lookup = (host) => lookup(host, { all: true, verbatim: true });

/**
 * Returns the addresses that a notification may be sent to. A name is resolved once and all of its addresses are
 * judged; the connection must use one of those that are returned. Public addresses are allowed, private ones and
 * loopback only if COLONNADE_NOTIFY lists them; link-local, metadata and multicast addresses never are. Throws
 * `SendError`.
 */
export async function judgeDestination(
  given: string,
  port: number,
  resolveName: Lookup = lookUpBySystem,
): Promise<JudgedAddress[]> {
  const host = normalizeHost(given);
  const refuse = (why: string) => new SendError('destination_refused', `${given.slice(0, 120)}:${port} ${why}`, true);
  if (host === null) throw refuse('is not a host name or an IP address in its plain spelling');
  const found = isIP(host) ? [{ address: host }] : await resolveInTime(host, resolveName);
  if (found.length === 0) throw new SendError('dns', 'The name has no address.', false);
  const isInList = parseAllowList(config.notifyDestinations.join(','));
  return found.map(({ address }) => {
    const ip = unwrapIp(address);
    const isListed = isInList?.(ip, port) === true;
    const family = isIP(ip) === 6 ? (6 as const) : (4 as const);
    if (isNeverAllowed(ip))
      throw refuse('leads to a link-local, metadata or multicast address, which is never allowed');
    const isPrivate = isAllowedByDefault(ip) || (family === 4 && SHARED.check(ip));
    if (isPrivate && !isListed) throw refuse('leads to a private address that COLONNADE_NOTIFY does not list');
    return { address: ip, family, isListed };
  });
}

async function resolveInTime(host: string, resolveName: Lookup): Promise<{ address: string }[]> {
  const fail = (why: string) => new SendError('dns', `The name could not be resolved (${why}).`, false);
  const resolving = resolveName(host).catch((error: NodeJS.ErrnoException) => {
    throw fail(error.code ?? 'unknown error');
  });
  return withTimeout(resolving, RESOLVE_MS, () => fail('no answer in time'));
}
