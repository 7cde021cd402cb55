import { describe, expect, it } from 'vitest';
import { parseRedisUrl } from './redis-url';

describe('reading a Redis URL', () => {
  it.each([
    [
      'redis://h',
      { tls: false, username: null, password: null, endpoints: [{ host: 'h', port: 6379 }], database: null },
    ],
    [
      'rediss://u:p%40ss:x@h:1/3',
      { tls: true, username: 'u', password: 'p@ss:x', endpoints: [{ host: 'h', port: 1 }], database: 3 },
    ],
    [
      'redis://:p@a@h:7',
      { tls: false, username: null, password: 'p@a', endpoints: [{ host: 'h', port: 7 }], database: null },
    ],
    [
      'a:1,b:2,[::1]:3',
      {
        tls: false,
        username: null,
        password: null,
        endpoints: [
          { host: 'a', port: 1 },
          { host: 'b', port: 2 },
          { host: '::1', port: 3 },
        ],
        database: null,
      },
    ],
    [
      ' 10.0.0.5:6380 ',
      { tls: false, username: null, password: null, endpoints: [{ host: '10.0.0.5', port: 6380 }], database: null },
    ],
  ])('%s', (text, parsed) => expect(parseRedisUrl(text)).toEqual(parsed));

  it.each([
    '',
    'http://h:80',
    'redis://',
    'redis://h:0',
    'redis://h:70000',
    'redis://h/x',
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
