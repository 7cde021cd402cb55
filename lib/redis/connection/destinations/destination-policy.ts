import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AppError } from '@/lib/model/errors';
import { formatAddress } from '@/lib/redis/connection/address';
import type { DestinationPolicy } from '@/lib/redis/connection/session';
import { createUnconfirmedError } from '@/lib/redis/connection/unconfirmed-error';
import { withTimeout } from '@/lib/redis/connection/with-timeout';
import { isAllowedByDefault, isNeverAllowed, parseAllowList, unwrapIp } from './address-ranges';
import { createEntryMatcher } from './destination-entries';
import { normalizeHost } from './normalize-host';

const RESOLVE_TIMEOUT_MS = 5000;

export interface DestinationSettings {
  /** `CIDR[:port]` entries, separated by commas; empty = the default described at `createDestinationPolicy`. */
  allow: string;
  registered: { host: string; port: number }[];
  /**
   * Holds what a person has named for this one instance: its own addresses and those confirmed later, in the form of
   * `toDestinationEntry`. Any other address is `destination_unconfirmed`. If absent, every allowed address counts as
   * named.
   */
  named?: readonly string[];
}

type Lookup = (host: string) => Promise<{ address: string; family: number }[]>;

const lookUpBySystem: Lookup = (host) => lookup(host, { all: true, verbatim: true });

/**
 * Decides which destinations Colonnade may connect to. A name is resolved once, every address of it is checked, and the
 * connection uses exactly a checked address, so a changed DNS answer has no effect in between. The same policy applies
 * to addresses that a cluster, a redirection or a Sentinel announces. Without a list it allows loopback, private ranges
 * and exactly the registered addresses; a list replaces all of that. Link-local, metadata, multicast and unspecified
 * addresses are always refused. An address that servers announce is connected to only when a person has named it,
 * because the password is sent there.
 */
export function createDestinationPolicy(
  settings: DestinationSettings,
  resolveName = lookUpBySystem,
): Pick<DestinationPolicy, 'resolve'> {
  const isListed = parseAllowList(settings.allow);
  const registered = new Set(settings.registered.map(({ host, port }) => `${normalizeHost(host) ?? host}\n${port}`));
  const isNamed = settings.named ? createEntryMatcher(settings.named) : null;

  const isAllowed = (host: string, ip: string, port: number): boolean =>
    isListed
      ? isListed(ip, port)
      : isAllowedByDefault(ip) ||
        registered.has(`${host}\n${port}`) ||
        registered.has(`${ip}\n${port}`) ||
        isNamed?.(host, port) === true;

  const resolve = async (given: string, port: number) => {
    const refuse = (why: string) =>
      new AppError('destination_refused', `Connecting to ${shortenHost(given)}:${port} is not allowed: ${why}.`, {
        host: shortenHost(given),
        port,
      });
    const host = normalizeHost(given);
    if (host === null) throw refuse('it is not a host name or an IP address in its plain spelling');
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw refuse('the port is not between 1 and 65535');
    const refuseNeverAllowed = () =>
      refuse('link-local, metadata, multicast and unspecified addresses are never allowed destinations');
    if (isIP(host) && isNeverAllowed(unwrapIp(host))) throw refuseNeverAllowed();
    // Check this before resolving the name: a query to a name server is outgoing traffic too.
    if (isNamed && !isNamed(host, port)) throw createUnconfirmedError([formatAddress(host, port)]);
    const found = isIP(host) ? [host] : await resolveHost(host, port, resolveName);
    const addresses = found.map(unwrapIp);
    if (addresses.some(isNeverAllowed)) throw refuseNeverAllowed();
    const allowed = addresses.filter((ip) => isAllowed(host, ip, port));
    if (allowed.length === 0) {
      throw refuse(
        isListed
          ? 'it is not in the list of allowed destinations'
          : 'it is neither a private address nor a registered one; add it to the allowed destinations if it is yours',
      );
    }
    const candidates = allowed.map((ip) => ({ ip, family: isIP(ip) === 6 ? (6 as const) : (4 as const) }));
    return candidates.sort((a, b) => a.family - b.family);
  };

  return { resolve };
}

/** A refused host may contain anything: show its first 120 characters, with unprintable ones replaced. */
const shortenHost = (host: string) => host.slice(0, 120).replace(/[^\x21-\x7e]/g, '?');

async function resolveHost(host: string, port: number, resolveName: Lookup): Promise<string[]> {
  const createDnsError = (code: string) =>
    new AppError('redis_dns', `The name ${host} could not be resolved (${code}). Check the spelling and the DNS.`, {
      host,
      port,
    });
  let found: { address: string }[];
  try {
    found = await withTimeout(resolveName(host), RESOLVE_TIMEOUT_MS, () => createDnsError('no answer in time'));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw createDnsError((error as NodeJS.ErrnoException).code ?? 'unknown error');
  }
  if (found.length === 0) throw createDnsError('no address');
  return found.map(({ address }) => address);
}
