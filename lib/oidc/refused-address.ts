import { BlockList, isIPv4 } from 'node:net';

/**
 * Where no identity provider is: link-local (metadata of clouds), multicast, "everywhere". Private ranges are allowed,
 * providers of companies lie there.
 */
const refused = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['224.0.0.0', 3],
] as const)
  refused.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
] as const)
  refused.addSubnet(net, bits, 'ipv6');

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

export function isRefusedAddress(address: string): boolean {
  const plain = MAPPED.exec(address)?.[1] ?? address;
  return refused.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}
