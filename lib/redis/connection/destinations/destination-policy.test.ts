import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseAllowList, unwrapIp } from './address-ranges';
import { createDestinationPolicy } from './destination-policy';

const answers: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'redis.internal': ['10.1.2.3'],
  'public.example': ['203.0.113.9'],
  'sly.example': ['10.1.2.3', '169.254.169.254'],
  'mixed.example': ['2001:db8::7', '10.9.9.9'],
  'wrapped.example': ['::ffff:169.254.169.254'],
  'nothing.example': [],
};
const lookup = async (host: string) => {
  const found = answers[host];
  if (!found) throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};
const makePolicy = (allow: string, registered: { host: string; port: number }[] = []) =>
  createDestinationPolicy({ allow, registered }, lookup);
const refused = expect.objectContaining({ code: 'destination_refused' });

describe('without a list', () => {
  const policy = makePolicy('', [
    { host: 'public.example', port: 6379 },
    { host: '198.51.100.4', port: 7000 },
  ]);

  it.each<[string, number, string]>([
    ['127.0.0.1', 6379, '127.0.0.1'],
    ['127.99.1.1', 1, '127.99.1.1'],
    ['10.0.0.1', 6379, '10.0.0.1'],
    ['172.16.0.1', 6379, '172.16.0.1'],
    ['172.31.255.255', 6379, '172.31.255.255'],
    ['192.168.7.7', 6379, '192.168.7.7'],
    ['::1', 6379, '::1'],
    ['[::1]', 6379, '::1'],
    ['fc00::1', 6379, 'fc00::1'],
    ['fdff::1', 6379, 'fdff::1'],
    ['::ffff:127.0.0.1', 6379, '127.0.0.1'],
    ['[::ffff:10.1.1.1]', 6379, '10.1.1.1'],
    ['localhost', 6379, '127.0.0.1'],
    ['LocalHost.', 6379, '127.0.0.1'],
    ['redis.internal', 6379, '10.1.2.3'],
    ['public.example', 6379, '203.0.113.9'],
    ['PUBLIC.example', 6379, '203.0.113.9'],
    ['198.51.100.4', 7000, '198.51.100.4'],
    ['mixed.example', 6379, '10.9.9.9'],
  ])('dials %s:%i at %s', async (host, port, ip) => {
    expect((await policy.resolve(host, port))[0]?.ip).toBe(ip);
  });

  it.each<[string, number]>([
    ['8.8.8.8', 6379],
    ['172.15.255.255', 6379],
    ['172.32.0.0', 6379],
    ['192.169.0.1', 6379],
    ['11.0.0.0', 6379],
    ['2001:db8::1', 6379],
    ['public.example', 6380],
    ['198.51.100.4', 7001],
    ['203.0.113.9', 6379],
    // never allowed, under any settings
    ['169.254.169.254', 80],
    ['169.254.0.1', 6379],
    ['100.100.100.200', 80],
    ['168.63.129.16', 80],
    ['0.0.0.0', 6379],
    ['0.1.2.3', 6379],
    ['255.255.255.255', 6379],
    ['240.0.0.1', 6379],
    ['224.0.0.1', 6379],
    ['239.255.255.250', 6379],
    ['::', 6379],
    ['fe80::1', 6379],
    ['febf::1', 6379],
    ['fe80::1%eth0', 6379],
    ['ff02::1', 6379],
    ['fd00:ec2::254', 80],
    ['fd20:ce::254', 80],
    // an IPv4 address embedded in an IPv6 one
    ['::ffff:169.254.169.254', 80],
    ['[::ffff:169.254.169.254]', 80],
    ['::ffff:a9fe:a9fe', 80],
    ['::ffff:8.8.8.8', 6379],
    ['::169.254.169.254', 80],
    ['64:ff9b::169.254.169.254', 80],
    ['2002:a9fe:a9fe::1', 80],
    ['::ffff:0:169.254.169.254', 80],
    // a name with one forbidden address is refused
    ['sly.example', 6379],
    ['wrapped.example', 80],
    // spellings that one resolver reads as an address and another as a name
    ['127.1', 6379],
    ['0x7f000001', 6379],
    ['0x7f.1', 6379],
    ['2130706433', 6379],
    ['0177.0.0.1', 6379],
    ['127.0.0.1.', 6379],
    ['127.0.0.01', 6379],
    ['1.2.3.4.5', 6379],
    ['example.0x1', 6379],
    ['127.0.0.1:6379@evil.example', 6379],
    ['evil.example@127.0.0.1', 6379],
    ['127.0.0.1\r\nSLAVEOF evil 1', 6379],
    ['127.0.0.1\n', 6379],
    ['127.0.0.1\u0000', 6379],
    ['local host', 6379],
    ['localhost/..', 6379],
    ['localhost#', 6379],
    ['[localhost]', 6379],
    ['[127.0.0.1', 6379],
    ['', 6379],
    ['.', 6379],
    ['..', 6379],
    ['-a.example', 6379],
    ['a'.repeat(64), 6379],
    [`${'a.'.repeat(127)}aa`, 6379],
    ['ｌocalhost', 6379],
    ['１２７.0.0.1', 6379],
    ['127.0.0.1', 0],
    ['127.0.0.1', 65_536],
    ['127.0.0.1', Number.NaN],
    ['127.0.0.1', 63.79],
  ])('refuses %j:%d', async (host, port) => {
    await expect(policy.resolve(host, port)).rejects.toEqual(refused);
  });

  it('says that a name does not resolve', async () => {
    await expect(policy.resolve('unknown.example', 6379)).rejects.toMatchObject({ code: 'redis_dns' });
    await expect(policy.resolve('nothing.example', 6379)).rejects.toMatchObject({ code: 'redis_dns' });
  });

  it('gives every allowed address, IPv4 first', async () => {
    expect(await policy.resolve('localhost', 6379)).toEqual([
      { ip: '127.0.0.1', family: 4 },
      { ip: '::1', family: 6 },
    ]);
  });
});

describe('with a list', () => {
  const policy = makePolicy(
    '10.1.0.0/16:6379, 203.0.113.9,[2001:db8::/32]:6379 127.0.0.1/32:7001 169.254.0.0/16 0.0.0.0/0:9',
    [{ host: '198.51.100.4', port: 7000 }],
  );
  it.each<[string, number]>([
    ['10.1.2.3', 6379],
    ['redis.internal', 6379],
    ['203.0.113.9', 12_345],
    ['2001:db8::1', 6379],
    ['127.0.0.1', 7001],
    ['8.8.8.8', 9],
  ])('dials %s:%i', async (host, port) => {
    await expect(policy.resolve(host, port)).resolves.toBeTruthy();
  });
  it.each<[string, number]>([
    ['10.1.2.3', 6380],
    ['10.2.0.1', 6379],
    ['2001:db8::1', 6380],
    ['127.0.0.1', 7002],
    // a list replaces the registered addresses too
    ['198.51.100.4', 7000],
    // listed, and still never allowed
    ['169.254.169.254', 80],
    ['169.254.169.254', 9],
    ['255.255.255.255', 9],
  ])('refuses %s:%i', async (host, port) => {
    await expect(policy.resolve(host, port)).rejects.toEqual(refused);
  });
});

it.each([
  '10.0.0.0/33',
  '10.0.0',
  'example.com',
  '10.0.0.0/8:0',
  '10.0.0.0/8:70000',
  '::1:6379x',
  '[::1]/129',
  '10.0.0.1:',
])('a list with %j is refused with that entry in the message', (entry) => {
  expect(() => parseAllowList(`127.0.0.1, ${entry}`)).toThrow(entry);
});

it('an empty list is no list', () => {
  expect(parseAllowList(' , ')).toBeNull();
});

it('unwraps every IPv4 address however it is carried', () => {
  fc.assert(
    fc.property(fc.ipV4(), (ip) => {
      const [a, b, c, d] = ip.split('.').map(Number) as [number, number, number, number];
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      expect(unwrapIp(`::ffff:${ip}`)).toBe(ip);
      expect(unwrapIp(`::FFFF:${hex}`)).toBe(ip);
      expect(unwrapIp(`0:0:0:0:0:ffff:${hex}`)).toBe(ip);
      expect(unwrapIp(`64:ff9b::${ip}`)).toBe(ip);
      expect(unwrapIp(`2002:${hex}::`)).toBe(ip);
      expect(unwrapIp(ip)).toBe(ip);
    }),
  );
});

it('never lets a forbidden address through, whatever the list says', async () => {
  const open = makePolicy('0.0.0.0/0 ::/0');
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.ipV4(), fc.ipV6()), async (ip) => {
      const bare = unwrapIp(ip);
      // A group of three digits has a leading zero: ff0:: is not in ff00::/8.
      const never =
        /^(?:169\.254|0|22[4-9]|23\d|24\d|25[0-5])\./.test(bare) || /^f(?:e[89a-f][\da-f]|f[\da-f]{2}):/i.test(bare);
      const outcome = await open.resolve(ip, 6379).then(
        () => 'dialled',
        (error) => error.code,
      );
      if (never) expect(outcome).toBe('destination_refused');
    }),
  );
});

it('gives up on a resolver that does not answer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const slow = createDestinationPolicy({ allow: '', registered: [] }, () => new Promise(() => undefined));
  const refused = expect(slow.resolve('slow.example', 6379)).rejects.toMatchObject({ code: 'redis_dns' });
  await vi.advanceTimersByTimeAsync(5000);
  await refused;
});
