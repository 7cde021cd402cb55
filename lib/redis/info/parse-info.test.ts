import { expect, it } from 'vitest';
import { detectFlavor, parseInfo, parseKeyspace, readInfoNumber } from './parse-info';

it('reads INFO whatever its line ends and values are', () => {
  const info = parseInfo(
    '# Server\r\nredis_version:7.0.15\r\nexecutable:/usr/bin/a:b\r\n\r\n# Empty\nbroken line\n:x\nused_memory:12\nratio:nan\nempty:\r\n',
  );
  expect([...info]).toEqual([
    ['redis_version', '7.0.15'],
    ['executable', '/usr/bin/a:b'],
    ['used_memory', '12'],
    ['ratio', 'nan'],
    ['empty', ''],
  ]);
  expect(readInfoNumber(info, 'used_memory')).toBe(12);
  expect(readInfoNumber(info, 'ratio')).toBeNull();
  expect(readInfoNumber(info, 'empty')).toBeNull();
  expect(readInfoNumber(info, 'missing')).toBeNull();
  expect(readInfoNumber(null, 'used_memory')).toBeNull();
});

it('lists databases in order, and what it cannot read of them as unknown', () => {
  const info = parseInfo(
    'db10:keys=5,expires=1,avg_ttl=9\ndb2:keys=7\ndb3:nonsense\ndb:keys=1\ndb0:keys=1,expires=0,avg_ttl=0,subexpiry=0',
  );
  expect(parseKeyspace(info)).toEqual([
    { db: 0, keys: 1, expires: 0, avgTtlMs: 0 },
    { db: 2, keys: 7, expires: null, avgTtlMs: null },
    { db: 10, keys: 5, expires: 1, avgTtlMs: 9 },
  ]);
});

it.each<[string, ReturnType<typeof detectFlavor>]>([
  ['redis_version:7.4.1', { flavor: 'redis', version: '7.4.1' }],
  ['redis_version:7.2.4\nserver_name:valkey\nvalkey_version:8.1.0', { flavor: 'valkey', version: '8.1.0' }],
  ['redis_version:7.2.0\ndragonfly_version:df-v1.25.1', { flavor: 'dragonfly', version: '1.25.1' }],
  ['redis_version:6.3.4\nmvcc_depth:0', { flavor: 'keydb', version: '6.3.4' }],
  ['something:else', { flavor: 'unknown', version: null }],
])('%s', (text, flavor) => {
  expect(detectFlavor(parseInfo(text))).toEqual(flavor);
});
