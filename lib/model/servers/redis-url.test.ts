import { describe, expect, it } from 'vitest';
import { parseRedisUrl } from './redis-url';

const PLAIN = { topology: null, sentinelName: null, tls: false, username: null, password: null, database: null };
const at = (host: string, port: number) => ({ host, port });

describe('reading a Redis URL', () => {
  it.each([
    ['redis://h', { ...PLAIN, endpoints: [at('h', 6379)] }],
    ['VALKEY://h/2', { ...PLAIN, endpoints: [at('h', 6379)], database: 2 }],
    [
      'rediss://u:p%40ss:x@h:1/3',
      { ...PLAIN, tls: true, username: 'u', password: 'p@ss:x', endpoints: [at('h', 1)], database: 3 },
    ],
    ['redis://:p@a@h:7', { ...PLAIN, password: 'p@a', endpoints: [at('h', 7)] }],
    ['a:1,b:2,[::1]:3', { ...PLAIN, endpoints: [at('a', 1), at('b', 2), at('::1', 3)] }],
    [' 10.0.0.5:6380 ', { ...PLAIN, endpoints: [at('10.0.0.5', 6380)] }],
  ])('%s', (text, parsed) => expect(parseRedisUrl(text)).toEqual(parsed));

  const SENTINELS = { ...PLAIN, topology: 'sentinel', endpoints: [at('a', 26_379), at('b', 5)] };
  it.each([
    ['redis-sentinel://a,b:5', SENTINELS],
    ['redis-sentinel://a,b:5/2#mall', { ...SENTINELS, sentinelName: 'mall', database: 2 }],
    ['redis+sentinel://:p@a,b:5/mall/1', { ...SENTINELS, password: 'p', sentinelName: 'mall', database: 1 }],
    ['redis+sentinel://a,b:5/1?sentinelMasterId=mall', { ...SENTINELS, sentinelName: 'mall', database: 1 }],
    ['rediss+sentinel://a,b:5/m%2Fx', { ...SENTINELS, tls: true, sentinelName: 'm/x' }],
  ])('%s', (text, parsed) => expect(parseRedisUrl(text)).toEqual(parsed));

  it.each(['unix:/run/redis.sock', 'unix:///run/redis.sock', '/run/redis.sock', 'redis+unix:///run/r.sock'])(
    'says that %s is not supported',
    (text) => expect(() => parseRedisUrl(text)).toThrow(/Unix sockets are not supported/),
  );

  it.each([
    '',
    'http://h:80',
    'redis://',
    'redis://h:0',
    'redis://h:70000',
    'redis://h/x',
    'redis://h/1/2',
    'redis-sentinel://h/a/b',
    '__proto__://h',
    'redis://h\r\nSET a b',
    'redis://h:1@',
    'redis://%zz@h',
  ])('refuses %j', (text) => expect(() => parseRedisUrl(text)).toThrow(/not a Redis URL/));
  it('never quotes the password', () => {
    expect(() => parseRedisUrl('redis://u:hunter2@h:x')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    );
  });
});
