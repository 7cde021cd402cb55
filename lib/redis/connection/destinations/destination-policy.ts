import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AppError } from '@/lib/model/errors';
import { formatAddress } from '@/lib/redis/connection/address';
import type { DestinationPolicy } from '@/lib/redis/connection/session';
import { unconfirmed } from '@/lib/redis/connection/unconfirmed';
import { withTimeout } from '@/lib/redis/connection/with-timeout';
import { isAllowedByDefault, isNeverAllowed, parseAllowList, unwrapIp } from './address-ranges';
import { namedPlaces } from './named-places';
import { plainHost } from './plain-host';

/**
 * Decides which destinations Colonnade may connect to. A name is resolved once, every address of it is checked, and the
 * connection uses exactly a checked address, so a changed DNS answer has no effect in between. The same policy applies
 * to addresses that a cluster, a redirection or a Sentinel announces. Without a list it allows loopback, private ranges
 * and exactly the registered addresses; a list replaces all of that. Link-local, metadata, multicast and unspecified
 * addresses are always refused. An address that servers announce is connected to only when a person has named it,
 * because the password is sent there.
 */
const RESOLVE_TIMEOUT_MS = 5000;

export interface DestinationSettings {
  /** `CIDR[:port]`, separated by commas; empty = the default. */
  allow: string;
  registered: { host: string; port: number }[];
  /**
   * What a person has named for this one instance: its own addresses and those confirmed later (`named-places.ts`). Any
   * other address is `destination_unconfirmed`. If absent, every allowed address counts as named.
   */
  named?: readonly string[];
}

type Lookup = (host: string) => Promise<{ address: string; family: number }[]>;

const systemLookup: Lookup = (host) => lookup(host, { all: true, verbatim: true });

export function createDestinationPolicy(
  settings: DestinationSettings,
  resolveName = systemLookup,
): Required<Omit<DestinationPolicy, 'noteNodes'>> {
  const listed = parseAllowList(settings.allow);
  const registered = new Set(settings.registered.map(({ host, port }) => `${plainHost(host) ?? host}\n${port}`));
  const isNamed = settings.named ? namedPlaces(settings.named) : null;

  const judge = (host: string, ip: string, port: number): boolean =>
    listed
      ? listed(ip, port)
      : isAllowedByDefault(ip) ||
        registered.has(`${host}\n${port}`) ||
        registered.has(`${ip}\n${port}`) ||
        isNamed?.(host, port) === true;

  const resolveAll = async (given: string, port: number) => {
    const refuse = (why: string) =>
      new AppError('destination_refused', `Connecting to ${shown(given)}:${port} is not allowed: ${why}.`, {
        host: shown(given),
        port,
      });
    const host = plainHost(given);
    if (host === null) throw refuse('it is not a host name or an IP address in its plain spelling');
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw refuse('the port is not between 1 and 65535');
    const never = () =>
      refuse('link-local, metadata, multicast and unspecified addresses are never allowed destinations');
    if (isIP(host) && isNeverAllowed(unwrapIp(host))) throw never();
    // Check this before resolving the name: a query to a name server is outgoing traffic too.
    if (isNamed && !isNamed(host, port)) throw unconfirmed([formatAddress(host, port)]);
    const found = isIP(host) ? [host] : await addressesOf(host, port, resolveName);
    const addresses = found.map(unwrapIp);
    if (addresses.some(isNeverAllowed)) throw never();
    const allowed = addresses.filter((ip) => judge(host, ip, port));
    if (allowed.length === 0) {
      throw refuse(
        listed
          ? 'it is not in the list of allowed destinations'
          : 'it is neither a private address nor a registered one; add it to the allowed destinations if it is yours',
      );
    }
    const candidates = allowed.map((ip) => ({ ip, family: isIP(ip) === 6 ? (6 as const) : (4 as const) }));
    return candidates.sort((a, b) => a.family - b.family);
  };

  return {
    resolveAll,
    async resolve(host, port) {
      return (await resolveAll(host, port))[0] as { ip: string; family: 4 | 6 };
    },
  };
}

/** A refused host may contain anything: show its first 120 characters, with unprintable ones replaced. */
const shown = (host: string) => host.slice(0, 120).replace(/[^\x21-\x7e]/g, '?');

async function addressesOf(host: string, port: number, resolveName: Lookup): Promise<string[]> {
  const failed = (code: string) =>
    new AppError('redis_dns', `The name ${host} could not be resolved (${code}). Check the spelling and the DNS.`, {
      host,
      port,
    });
  let found: { address: string }[];
  try {
    found = await withTimeout(resolveName(host), RESOLVE_TIMEOUT_MS, () => failed('no answer in time'));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw failed((error as NodeJS.ErrnoException).code ?? 'unknown error');
  }
  if (found.length === 0) throw failed('no address');
  return found.map(({ address }) => address);
}
