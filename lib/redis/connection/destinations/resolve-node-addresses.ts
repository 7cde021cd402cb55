import { isIP, isIPv6 } from 'node:net';
import { formatAddress, parseAddress } from '@/lib/redis/connection/address';
import { unwrapIp } from './address-ranges';

/**
 * Returns all spellings under which a node may be known: the given address in lower case, and its IP addresses, each in
 * one spelling. `localhost`, `::1` and `::ffff:127.0.0.1` are then the same place when nodes are compared. `resolve`
 * returns the addresses of a name; if it fails, none are added.
 */
export async function resolveNodeAddresses(
  address: string,
  resolve: (host: string, port: number) => Promise<readonly { ip: string }[]>,
): Promise<string[]> {
  const parsed = parseAddress(address);
  if (parsed === null) return [address.toLowerCase()];
  // The zone of an IPv6 address names a network interface of this machine and is not part of the node's address.
  const host = parsed.host.toLowerCase().replace(/\.$/, '').replace(/%.*$/, '');
  const ips = isIP(host) ? [host] : (await resolve(host, parsed.port).catch(() => [])).map(({ ip }) => ip);
  return [...new Set([address.toLowerCase(), ...ips.map((ip) => formatAddress(normalizeIp(ip), parsed.port))])];
}

/** Both loopback addresses mean this machine, and a server usually listens on both, so use one spelling for them. */
function normalizeIp(given: string): string {
  const ip = unwrapIp(given);
  if (!isIPv6(ip)) return ip;
  const plain = new URL(`http://[${ip}]/`).hostname.slice(1, -1);
  return plain === '::1' ? '127.0.0.1' : plain;
}
