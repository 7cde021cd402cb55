import { describe, expect, it } from 'vitest';
import { parseRedisUrl } from './parse-redis-url';

describe('parseRedisUrl', () => {
  it('reads everything', () => {
    expect(parseRedisUrl('rediss://alice:s%40cret@cache.example:6380/3')).toEqual({
      tls: true,
      endpoints: [{ host: 'cache.example', port: '6380' }],
      username: 'alice',
      password: 's@cret',
      db: 3,
    });
  });
  it('needs neither user, port nor database', () => {
    expect(parseRedisUrl(' redis://10.0.0.1 ')).toEqual({
      tls: false,
      endpoints: [{ host: '10.0.0.1', port: '6379' }],
      username: null,
      password: null,
      db: null,
    });
  });
  it('takes a password without a user, even with raw special characters', () => {
    const url = parseRedisUrl('redis://:p@ss:100%@h:1/');
    expect(url).toMatchObject({ username: null, password: 'p@ss:100%', endpoints: [{ host: 'h', port: '1' }] });
  });
  it('takes seeds and IPv6', () => {
    expect(parseRedisUrl('redis://a:7001,b:7002,[::1]:7003')?.endpoints).toEqual([
      { host: 'a', port: '7001' },
      { host: 'b', port: '7002' },
      { host: '::1', port: '7003' },
    ]);
  });
  it('knows valkey and its TLS form', () => {
    expect(parseRedisUrl('valkeys://h')?.tls).toBe(true);
    expect(parseRedisUrl('valkey://h')?.tls).toBe(false);
  });
  it.each(['', 'http://x', 'redis://', 'cache:6379', 'redis://a b:1', 'redis://h:x'])('refuses %j', (text) => {
    expect(parseRedisUrl(text)).toBeNull();
  });
});
