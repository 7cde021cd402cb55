/** The ranges of addresses that are never allowed, allowed by default, or allowed by an operator's list. */

import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { AppError } from '@/lib/model/errors';

/**
 * These are never allowed, even if listed: they lead to the machine's own metadata, to every host on the network, or
 * nowhere.
 */
const NEVER: [string, number][] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16], // link-local, includes the metadata service 169.254.169.254
  ['100.100.100.200', 32], // metadata, Alibaba Cloud
  ['168.63.129.16', 32], // metadata, Azure
  ['192.0.0.192', 32], // metadata, Oracle Cloud
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved and broadcast
  ['::', 128],
  ['fe80::', 10], // link-local
  ['fec0::', 10], // site-local, deprecated long ago
  ['ff00::', 8], // multicast
  ['fd00:ec2::254', 128], // metadata, AWS
  ['fd20:ce::254', 128], // metadata, Google Cloud
];

/** Loopback and the private ranges. */
const BY_DEFAULT: [string, number][] = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
];

const getFamily = (ip: string) => (isIPv6(ip) ? 'ipv6' : 'ipv4');

function createBlockList(ranges: [string, number][]): BlockList {
  const list = new BlockList();
  for (const [ip, bits] of ranges) list.addSubnet(ip, bits, getFamily(ip));
  return list;
}

const NEVER_ALLOWED = createBlockList(NEVER);
const ALLOWED_BY_DEFAULT = createBlockList(BY_DEFAULT);

/** Splits an IPv6 address into its eight 16-bit groups. */
function splitGroups(ip: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(ip);
  const text = dotted
    ? `${dotted[1]}${((Number(dotted[2]) << 8) | Number(dotted[3])).toString(16)}:${((Number(dotted[4]) << 8) | Number(dotted[5])).toString(16)}`
    : ip;
  const [head = '', tail] = text.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: gap }, () => '0'), ...right].map((group) => Number.parseInt(group, 16));
}

/**
 * Returns the IPv4 address that an IPv6 address embeds, or the address unchanged. The IPv4 address is then checked and
 * connected to.
 */
export function unwrapIp(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const groups = splitGroups(ip) as [number, number, number, number, number, number, number, number];
  const formatIpv4 = (high: number, low: number) => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  const hasZeros = (count: number) => groups.slice(0, count).every((group) => group === 0);
  const [first, second, third, , fifth, sixth, seventh, eighth] = groups;
  const isMapped = hasZeros(5) && sixth === 0xffff; // ::ffff:a.b.c.d
  const isTranslated = hasZeros(4) && fifth === 0xffff && sixth === 0; // ::ffff:0:a.b.c.d
  const isCompatible = hasZeros(6) && (seventh !== 0 || eighth > 1); // ::a.b.c.d, but not :: and ::1
  const isNat64 = first === 0x64 && second === 0xff9b; // 64:ff9b::/96
  if (isMapped || isTranslated || isCompatible || isNat64) return formatIpv4(seventh, eighth);
  if (first === 0x2002) return formatIpv4(second, third); // 6to4
  return ip;
}

export const isNeverAllowed = (ip: string) => NEVER_ALLOWED.check(ip, getFamily(ip));
export const isAllowedByDefault = (ip: string) => ALLOWED_BY_DEFAULT.check(ip, getFamily(ip));

interface AllowEntry {
  list: BlockList;
  port: number | null;
}

/**
 * Parses entries such as `10.0.0.0/8, 192.0.2.7:6379, [2001:db8::/32]:6379` into a check; null when there is no entry.
 * Throws `bad_request` with the entry that is wrong.
 */
export function parseAllowList(text: string): ((ip: string, port: number) => boolean) | null {
  const entries = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseEntry);
  if (entries.length === 0) return null;
  return (ip, port) =>
    entries.some((entry) => (entry.port === null || entry.port === port) && entry.list.check(ip, getFamily(ip)));
}

function parseEntry(entry: string): AllowEntry {
  const createEntryError = () =>
    new AppError(
      'bad_request',
      `"${entry}" in the list of allowed destinations is not CIDR[:port]; examples: 10.0.0.0/8, 192.0.2.7:6379, [2001:db8::/32]:6379`,
    );
  const found = (
    /^\[(?<ip>[0-9A-Fa-f:.]+)(?:\/(?<bits>\d{1,3}))?\](?:\/(?<bitsAfter>\d{1,3}))?(?::(?<port>\d{1,5}))?$/.exec(
      entry,
    ) ??
    /^(?<ip>[0-9.]+)(?:\/(?<bits>\d{1,2}))?(?::(?<port>\d{1,5}))?$/.exec(entry) ??
    /^(?<ip>[0-9A-Fa-f:.]+)(?:\/(?<bits>\d{1,3}))?$/.exec(entry)
  )?.groups;
  const ip = found?.ip ?? '';
  if (!found || !(isIPv4(ip) || isIPv6(ip))) throw createEntryError();
  const max = isIPv6(ip) ? 128 : 32;
  const bits = Number(found.bits ?? found.bitsAfter ?? max);
  const port = found.port ? Number(found.port) : null;
  if (bits > max || (port !== null && (port < 1 || port > 65_535))) throw createEntryError();
  return { list: createBlockList([[ip, bits]]), port };
}
