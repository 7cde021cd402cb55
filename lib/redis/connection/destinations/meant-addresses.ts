import { isIP, isIPv6 } from 'node:net';
import { formatAddress, parseAddress } from '@/lib/redis/connection/address';
import { unwrapIp } from './address-ranges';

/**
 * All spellings under which a node may be known besides the one that is given: its IP addresses, each in one spelling,
 * because `localhost`, `::1` and `::ffff:127.0.0.1` are one place to whoever compares nodes. With the given one, in
 * lower case. `resolve`: the addresses of a name; none where it fails.
 */
export async function meantAddresses(
  address: string,
  resolve: (host: string, port: number) => Promise<readonly { ip: string }[]>,
): Promise<string[]> {
  const place = parseAddress(address);
  if (place === null) return [address.toLowerCase()];
  // The zone of an IPv6 address says on which of our networks it is, which is none of its own.
  const host = place.host.toLowerCase().replace(/\.$/, '').replace(/%.*$/, '');
  const ips = isIP(host) ? [host] : (await resolve(host, place.port).catch(() => [])).map(({ ip }) => ip);
  return [...new Set([address.toLowerCase(), ...ips.map((ip) => formatAddress(plainIp(ip), place.port))])];
}

/** Both loopback addresses are this machine, and a server mostly listens on both. */
function plainIp(given: string): string {
  const ip = unwrapIp(given);
  if (!isIPv6(ip)) return ip;
  const plain = new URL(`http://[${ip}]/`).hostname.slice(1, -1);
  return plain === '::1' ? '127.0.0.1' : plain;
}
