import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SENSITIVE_KINDS, type SensitiveKind } from '@/lib/model/keys/value-samples';
import { findSensitiveKinds } from './sensitive-values';

const kinds = (text: string) => findSensitiveKinds(Buffer.from(text));
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

it.each<[SensitiveKind, string]>([
  ['password', '{"user":"a","password":"hunter2"}'],
  ['password', "{'passwd': 'hunter2'}"],
  ['password', 'user=a&pwd=hunter2&x=1'],
  ['password', 'a:2:{s:4:"user";s:1:"a";s:8:"password";s:7:"hunter2";}'],
  ['password', 'database:\n  secret: hunter2\n'],
  ['password', '{"db_password": "hunter2"}'],
  ['password', '{"userPassword":"hunter2"}'],
  ['password', '{"passWord": "hunter2"}'],
  ['password', '{"clientSecret":"hunter2"}'],
  ['password', 'MYSQL_ROOT_PASSWORD=hunter2'],
  ['password', String.raw`"{\"user\":\"a\",\"password\":\"hunter2\"}"`],
  ['password', '{"pwd":123456}'],
  ['password', '{"password":"{x9k2","a":1}'],
  ['password', '{"password":"}&,;]","a":1}'],
  ['password', '{"password":"{noop}hunter2"}'],
  ['password', 'mysql://root:hunter2@db:3306/shop'],
  ['password', '{"dsn":"redis://:hunter2@cache.example.com:6379/0"}'],
  ['password', '{"credential":"hunter2"}'],
  ['password', 'mima=hunter2'],
  ['password', '{"密码":"hunter2"}'],
  ['token', '{"apiKey":"5f4dcc3b5aa765d61d8327deb882cf99"}'],
  ['token', 'API_KEY=x9k2-33ab-71'],
  ['token', '{"secretAccessKey":"wJalrXUtnFEMI/K7MDENG"}'],
  ['privateKey', '-----BEGIN RSA PRIVATE KEY-----\nMIIE'],
  ['privateKey', '-----BEGIN PRIVATE KEY-----\nMIIE'],
  ['token', JWT],
  ['token', `{"jwt":"${JWT}"}`],
  ['token', 'AKIAIOSFODNN7EXAMPLE'],
  ['token', `ghp_${'a1'.repeat(18)}`],
  ['token', 'Authorization: Bearer 0123456789abcdef0123'],
  ['idCard', '{"id":"11010519491231002X"}'],
  ['idCard', '440308199901101512'],
  ['bankCard', '4111 1111 1111 1111'],
  ['bankCard', '{"card":"5500005555555559"}'],
  ['bankCard', '6222021234567890128'],
  ['mobile', '{"phone":"13800138000"}'],
  ['mobile', '+8613800138000'],
  ['mobile', '手机13800138000。'],
  ['mobile', 'call 138-0013-8000.'],
  ['mobile', 'Tel.13800138000.'],
  ['email', 'mailto:ann@js.example.com.'],
  ['email', 'name=Ann <ann.lee+shop@mail.example.co.uk>'],
  ['email', '\x0a\x10ann@example.com\x12'],
])('sees a %s in %s', (kind, text) => {
  expect(kinds(text)).toContain(kind);
});

it.each([
  '',
  'a plain sentence about a password and a secret',
  '{"password":null,"secret":"","pwd":"***"}',
  '{"password":"$2b$12$KIXQxF1nY8hQ0d3yG1b0qe"}',
  '{"password":"5f4dcc3b5aa765d61d8327deb882cf99"}',
  '{"password":[],"secret":{"min":8,"max":20},"pwd":[ 1]}',
  '{"type":"object","properties":{"password":{"type":"string"}}}',
  '{"hasPassword":1,"secret":0,"pwd":false}',
  '{"api_key":null,"accessKey":"***","accessKeyId":"main","rapiKey":"0123456789","apiKey":"none"}',
  '{"credential":"","kamimay":"hunter2","密码":null}',
  '{"password":"••••••","pwd":"[FILTERED]","secret":"<redacted>","passwd":"h*****2"}',
  '{"password":"密码","pwd":"请输入"}',
  `password=\${DB_PASSWORD}\npwd: {{ secret }}\nsecret="%s"`,
  '{"password":"{bcrypt}$2a$10$dXJ3SW6G7P50lGmMkkmwe","pwd":"{SSHA}DkMTwBl+a/3DQTxCYEApdUtNXGgdUac3"}',
  'pwd=\nuser=ann\nsecret:\nname: ann',
  '{"password":"scrypt:32768:8:1$Kb4$a0","pwd":"argon2$argon2i$v=19$x","secret":"ENC(G6N718UuyPE5bHyWKyuLQSm02auQPUtm)"}',
  '{"passwordUpdatedAt":"2026-11-21","mypwds":"a","secretary":"ann"}',
  'postgres://app:***@db.example.com/shop https://0a1b2c@o1.ingest.sentry.io/1 http://example.com:8080/@ann',
  'https://example.com/a:b@c amqp://app:%s@mq.example.com',
  '-----BEGIN PUBLIC KEY-----',
  '110105194912310021',
  '4111111111111112',
  '1759288472991170630',
  '1759288472991',
  '0.4111111111111111',
  '1a13800138000',
  '{"lng":113.15012345678,"lat":22.5}',
  '{"total":13800138000.55}',
  '<img src="logo@2x.png" srcset="/static/logo@3x.webp 3x">',
  '12345678901',
  'a@b',
  'npm i @scope/name@1.2.3',
  'eyJhbGciOiJIUzI1NiJ9',
])('sees nothing in %s', (text) => {
  expect(kinds(text)).toEqual([]);
});

/** A HashMap of strings as ObjectOutputStream writes it, which Spring's RedisTemplate stores by default. */
const javaString = (text: string) =>
  Buffer.concat([Buffer.from([0x74, 0, Buffer.byteLength(text)]), Buffer.from(text)]);
const javaMap = (entries: Record<string, string>) =>
  Buffer.concat([
    Buffer.from(
      'aced0005737200116a6176612e7574696c2e486173684d61700507dac1c31660d103000246000a6c6f6164466163746f724900',
      'hex',
    ),
    Buffer.from(`097468726573686f6c6478703f4000000000000c7708000000100000000${Object.keys(entries).length}`, 'hex'),
    ...Object.entries(entries).flat().map(javaString),
    Buffer.from('x'),
  ]);
/** The description of a class with two String fields, without values. */
const JAVA_CLASS = Buffer.concat([
  Buffer.from('aced000573720004', 'hex'),
  Buffer.from(
    'User\0\0\0\0\0\0\0\x01\x02\0\x02L\0\bpasswordt\0\x12Ljava/lang/String;L\0\x06mobileq\0~\0\x01xpq\0~\0\x02p',
    'latin1',
  ),
]);
/** A protobuf message whose fields 1, 2, … are strings. */
const protobuf = (fields: Record<number, string>) =>
  Buffer.concat(
    Object.entries(fields).flatMap(([field, text]) => [
      Buffer.from([(Number(field) << 3) | 2, Buffer.byteLength(text)]),
      Buffer.from(text),
    ]),
  );
const messagePack = (entries: Record<string, string>) =>
  Buffer.concat([
    Buffer.from([0x80 | Object.keys(entries).length]),
    ...Object.entries(entries)
      .flat()
      .flatMap((text) => [Buffer.from([0xa0 | Buffer.byteLength(text)]), Buffer.from(text)]),
  ]);

it.each<[string, Buffer, SensitiveKind[]]>([
  ['a Java map', javaMap({ phone: '13800138000', name: 'Alice' }), ['mobile']],
  [
    'a Java map',
    javaMap({ id: '11010519491231002X', card: '6222021234567890128', name: 'Alice' }),
    ['idCard', 'bankCard'],
  ],
  ['a Java map', javaMap({ password: 'hunter2', name: 'Alice' }), ['password']],
  ['a Java map', javaMap({ password: '5f4dcc3b5aa765d61d8327deb882cf99', name: 'Alice' }), []],
  ['a Java map', javaMap({ order: '1380013800012', at: '1759288472991', no: '202611192302028114' }), []],
  ['a Java class', JAVA_CLASS, []],
  ['protobuf', protobuf({ 1: 'Ann', 5: '13800138000', 6: 'Alice' }), ['mobile']],
  ['protobuf', protobuf({ 1: '11010519491231002X', 8: 'Alice' }), ['idCard']],
  ['protobuf', protobuf({ 1: '1759288472991170630', 8: 'Alice' }), []],
  ['MessagePack', messagePack({ userPassword: 'hunter2', a: 'b' }), ['password']],
  ['MessagePack', messagePack({ mobile: '13800138000', a: 'b' }), ['mobile']],
  ['text', Buffer.from('订单1380013800012345'), []],
])('looks into %s', (_, value, expected) => {
  expect(findSensitiveKinds(value)).toEqual(expected);
});

it('tells each kind once, whatever the bytes around it are', () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(bytes, bytes, (before, after) => {
      const value = Buffer.concat([before, Buffer.from(' \n13800138000\n '), after]);
      const seen = findSensitiveKinds(value);
      expect(seen).toContain('mobile');
      expect(seen).toEqual(SENSITIVE_KINDS.filter((kind) => seen.includes(kind)));
    }),
  );
});

it('takes no order number that begins with a moment for an id card', () => {
  const two = (n: number) => String(n).padStart(2, '0');
  const seen: string[] = [];
  for (let second = 0; second < 86_400; second += 7) {
    const clock = two(Math.floor(second / 3600)) + two(Math.floor(second / 60) % 60) + two(second % 60);
    for (const day of ['19', '20', '21']) {
      const order = `202611${day}${clock}${String((second * 37) % 10_000).padStart(4, '0')}`;
      if (kinds(order).length > 0) seen.push(order);
    }
  }
  expect(seen).toEqual([]);
});

it('tells no user of a URL as an address', () => {
  expect(kinds('mysql://root:hunter2@db.example.com/shop')).toEqual(['password']);
  expect(kinds('see https://example.com/, or ask ann@example.com')).toEqual(['email']);
});

// A pattern with catastrophic backtracking would exceed the time limit of the test on a kilobyte.
it('comes to an end with a kilobyte of anything', () => {
  const values = ['a@', 'a.', '1', 'password', ' ', 'http://', 'x:', 'eyJ', '4111 ', '\\"'].map((part) =>
    Buffer.from(part.repeat(1024).slice(0, 1024)),
  );
  for (const value of values) for (let i = 0; i < 10; i++) findSensitiveKinds(value);
});
