import { describe, expect, it } from 'vitest';
import { catalogue, ruleById } from '@/lib/rules/catalogue';
import type { AdHocRow } from '@/lib/snapshots/query/ad-hoc-rows';
import { type AskOptions, askRules } from './ask-rules';
import { makeRow } from './hostile-rows';

const rules = catalogue.filter((rule) => rule.kind === 'key' && rule.id.startsWith('N'));
const UUID = '550e8400-e29b-41d4-a716-446655440000';
const typed = (name: string, type: string | null) => ({ name, type });

type Name = string | Buffer | { name: string; type: string | null };
interface Verdicts {
  breaks: Name[];
  keeps: Name[];
  options?: AskOptions;
}

/** Names that each rule must report, and names that it must not report. */
const table: [rule: string, Verdicts][] = [
  [
    'N1',
    {
      breaks: ['', 'ugc', 'ugc:1', 'ugc::1', ':ugc:1', 'ugc:1:', '::', ':::'],
      keeps: ['ugc:video:1', 'a:b:c:d', ':a:b:c'],
    },
  ],
  ['N2', { breaks: ['user:basic.info:1', 'a:b:c:', ''], keeps: ['user:basic.info:42:string', 'a:b:c:d:e'] }],
  [
    'N3',
    { breaks: ['user', 'user:1', 'user.basic.info.1', 'a::b'], keeps: ['user:basic.info:1', 'a:b:c:d', 'a:b::c'] },
  ],
  [
    'N4',
    {
      breaks: [
        '',
        'user:1',
        typed('user:1:string', 'hash'),
        typed('user:1:set', 'zset'),
        typed('user:1:strings', 'string'),
        typed('user:string:1', 'string'),
        typed('user:1:string:', 'string'),
        typed('user:1.string', 'string'),
        typed('user:1:hash', 'ReJSON-RL'),
        typed('user:1:json', 'hash'),
        typed('user:1:geo', 'string'),
        typed('user:1:vectorset', 'set'),
        typed('user:1:bloom', 'string'),
      ],
      keeps: [
        typed('user:1:string', 'string'),
        typed('user:1:hash', 'hash'),
        typed('user:1:list', 'list'),
        typed('user:1:set', 'set'),
        typed('user:1:zset', 'zset'),
        typed('user:1:stream', 'stream'),
        typed('USER:1:HASH', 'hash'),
        typed('user:1:sortedset', 'zset'),
        typed('user:1:hyperloglog', 'string'),
        typed('user:1:json', 'ReJSON-RL'),
        typed('user:1:bloom', 'MBbloom--'),
        typed('user:1:bloom', 'bloomfltr'),
        typed('user:1:vectorset', 'vectorset'),
        typed('user:1:timeseries', 'TSDB-TYPE'),
        // If the type is not known, only the word can be checked.
        typed('user:1:hash', null),
      ],
    },
  ],
  [
    'N5',
    {
      breaks: [
        'PRO:USER:18',
        'PRO:USER:UID:18:X',
        'PRO',
        '',
        // A date that is spread over segments is no table, column and value.
        'order:2024:01:01',
        'order:2024:13:01',
        // A number or a UUID in the place of the project, the table or the column.
        '18:19:20:21',
        'PRO:USER:18:UID',
        `PRO:${UUID}:UID:18`,
        'order:total:2024:12',
        '2024:1:1:x',
        // An empty segment names nothing.
        'user::info:1',
        'user::info:1:x',
        ':PRO:USER:UID:18',
        'PRO:USER:UID:18:',
        'PRO:USER:{18}',
        'foo{}{bar}',
        '{}:PRO:USER:UID:18',
      ],
      keeps: [
        'PRO:USER:UID:18',
        'PRO:USER:LOGINNAME:373166324',
        'pro:user:uid:18',
        'userAdmin:user:id:18',
        'order:day:date:2024-01-01',
        'PRO:USER:UID:2024',
        // Names after a hash tag, and names that consist of their tag alone.
        '{user1000}.following',
        '{user1000}.followers',
        'foo{bar}{zap}',
        '{18}:PRO:USER:UID:18',
        '{PRO:USER}:UID:18',
        '{18}PRO:USER:UID:18',
      ],
    },
  ],
  ['N5', { breaks: ['order/2024/01/01', 'a//c/d'], keeps: ['a/b/c/d', 'a/2024:01/c/d'], options: { delimiter: '/' } }],
  ['N6', { breaks: [], keeps: ['anything', ''] }],
  [
    'N6',
    {
      breaks: ['order:1', 'User:1', 'use', '', 'x:user:1'],
      keeps: ['user:1', 'pay.v2:1', "o'b%:1"],
      options: { ownerPrefixes: ['user:', 'pay.', "o'b%"] },
    },
  ],
  // A prefix without a sign at its end consists of whole segments.
  [
    'N6',
    {
      breaks: ['userAdmin:1', 'users', 'user.admin:1', 'user2:1', 'team:apple:1', '用户名:1'],
      keeps: ['user:1', 'user', 'user:', 'team:app:1', 'team:app', '用户:1'],
      options: { ownerPrefixes: ['user', 'team:app', '用户'] },
    },
  ],
  ['N6', { breaks: ['user:1'], keeps: ['user/1'], options: { ownerPrefixes: ['user'], delimiter: '/' } }],
  [
    'N7',
    {
      breaks: ['', '1user', '_user', ':user', '-1', '用户:1', 'éa', '{1}a', '{}a', '{{a}}', ' user', Buffer.from([0])],
      keeps: ['user', 'User', 'z', '{user}:1'],
    },
  ],
  ['N7', { breaks: ['{user}:1'], keeps: ['user:{1}'], options: { params: { allowTag: 0 } } }],
  [
    'N8',
    {
      breaks: ['User:1', 'user_1', 'user-1', 'user 1', 'user/1', 'usér', 'user:1*', 'p\u0430ypal', Buffer.from([0xff])],
      keeps: ['', 'user:basic.info:1', 'user:{42}:string', '::', '...', '123'],
    },
  ],
  ['N8', { breaks: ['user:{1}', '}'], keeps: ['user:1'], options: { params: { allowTag: 0 } } }],
  ['N8', { breaks: ['user_1', 'A-b'], keeps: ['user-1', 'a:b'], options: { delimiter: '-' } }],
  ['N8', { breaks: ['a/b', 'A^b'], keeps: ['a^b', 'a]b'], options: { delimiter: '^]' } }],
  [
    'N9',
    {
      breaks: [
        'a b',
        ' a',
        'a"b',
        "a'b",
        'a\\b',
        'a`b',
        '\u00a0',
        'a\u2028b',
        'a\u3000b',
        'a\u200bb',
        '\u202ea',
        ...['\n', '\r', '\t', '\0', '\x1b', '\x7f', '\u0085'].map((c) => Buffer.from(`a${c}b`)),
        Buffer.from([0xff, 0xfe]),
        // These are four characters, not one byte, and still an escape sequence.
        '\\x00',
      ],
      keeps: ['', 'user:1', 'user_1', 'a/b', '用户', 'café', '👨', '{}', '*?[]', 'a-b', '<>=@%'],
    },
  ],
  ['N10', { breaks: ['user_1', '_', 'a:_:b', '__proto__'], keeps: ['', 'user-1', 'user.1', 'user\u203f1'] }],
  [
    'N11',
    {
      breaks: [
        'user-1-name',
        'user/1/name',
        'user_1',
        'user_name',
        'user1-name',
        'user|1',
        'user.1.name',
        'user.1',
        'user->1',
        'user=>1',
        'user;1',
        'user,1',
        'user#1',
        'user\\1',
        'user:1/name',
        '../../etc/passwd',
        `user-${UUID}`,
        'user.2024-01-01',
        'user.2024-1-5',
        'facade-deadbeef',
        'user.20240101',
        'log-2024-01-01',
        // Long names that are words with a number.
        'User_profile_123456',
        'B2B_order_status_1',
        'userBase64Image_cache',
        'Oauth2Token_cache_1',
        'oUpF8uMuAJO_M2p',
        'v1stgxr8_z5jdhi6b-myt',
        // Dots that are used instead of colons.
        'prefix.user.id',
        'com.example.shop.cart',
        // The full-width colon is another character, and so are its variants.
        'user：1',
        'user:info：1',
        'user／1',
        'user｜1',
        'user；1',
        'user，1',
      ],
      keeps: [
        // Dates and ids count as one word each.
        '2024-01-01',
        '20240101',
        '2024_01_01',
        'deadbeef-01ab-cafe',
        'deadbeef_01abcafe',
        `${UUID}_${UUID}`,
        'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o',
        'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o:x',
        'V1StGXR8_Z5jdHi6B-myT',
        'aVeryLong-b1Cd2E',
        'aVeryLongName-B12d',
        'log:2024-01-01',
        'first.name',
        'x-1',
        'a_b',
        '',
        'user:1:name',
        'user:basic.info:1',
        'basic.info',
        UUID,
        UUID.toUpperCase(),
        `user:${UUID}`,
        '2026-11-21',
        'log:2026-11-21',
        'v1.2.3:user',
        'user:first-name:1',
        'user',
        '1-2',
        // These names contain one byte, which only the display form writes with a backslash.
        Buffer.from('user:\0:1'),
        Buffer.from([0x75, 0x3a, 0xff]),
      ],
    },
  ],
  // The profile's delimiter does not count as another sign.
  ['N11', { breaks: ['a|b', 'a/b;c'], keeps: ['user/1/name', 'a/b'], options: { delimiter: '/' } }],
  ['N11', { breaks: ['a/b', 'a=>b'], keeps: ['user->1', 'a->b'], options: { delimiter: '->' } }],
  ['N11', { breaks: ['user_1'], keeps: ['user-1-name', 'a->b'], options: { delimiter: '-' } }],
  ['N11', { breaks: ['a/b'], keeps: ['a\\b'], options: { delimiter: '\\' } }],
  [
    'N12',
    {
      breaks: [
        'user:basicInfo:1',
        'user:typeA:1',
        'user:basic_info:1',
        'user:basic__info',
        'user:basic-info:1',
        'UserAdmin',
        'userAdmin',
        'user_admin',
        'a:firstName.last',
      ],
      keeps: [
        '',
        'user:basic.info:1',
        'USER:INFO',
        `s:${UUID}`,
        'log:2026-11-21',
        's:aB3dE9fG1hJ2kL5m',
        'mail:Li.Lei-Han@example.com',
        'trace:abcd-ef12-abcd',
        'trace:abcdef_ab12cdef',
        'user:1-2',
        'user:_',
        'user:basic--info:1',
        'a:-b',
        Buffer.from('user:\nB:1'),
        Buffer.from('user:\n-b:1'),
      ],
    },
  ],
  [
    'N13',
    {
      breaks: ['user:basic.info:1', 'userAdmin:1', 'user_admin', 'user-admin'],
      keeps: ['', 'user:basic:info:1', 'PRO:USER:UID:18', 'v:1.2.3', 'log:2026.11.21', 'mail:a.b@c.cn', 'a:b.1'],
    },
  ],
  // In S0 each style is one word, so only signs between words remain.
  [
    'N13',
    {
      breaks: ['user:basic.info:1', 'user-admin:1', 'userAdmin:user.name'],
      keeps: ['userAdmin:user:id:18', 'UserAdmin:1', 'user_admin:1'],
      options: { params: { caseStyles: 1 } },
    },
  ],
  [
    'N14',
    {
      breaks: [
        'user:1',
        'PRO:user:UID:18',
        'PROd',
        '{Tag}',
        'x',
        '{user1000}.FOLLOWING',
        'PRO:CITY:beijing',
        'PRO:USER:CITY:beijing:X',
        'ID:a:b',
      ],
      keeps: [
        '',
        'PRO:USER:UID:18',
        'PRO:USER:LOGINNAME:373166324',
        '1:2',
        `PRO:${UUID}`,
        `PRO:${UUID.toUpperCase()}`,
        // Values are kept as they are: after a column, in the place of the value, and ids anywhere.
        'PRO:USER:USERNAME:zhangsan',
        'PRO:LOGINNAME:zhangsan',
        'PRO:NO:zhangsan:X',
        'PRO:USER:CITY:beijing',
        'PRO:d41d8cd98f00b204:INFO',
        'PRO:V1StGXR8_Z5jdHi6B-myT:INFO',
        'PRO:zhang.san@example.com:INFO',
        'ÉA',
        Buffer.from('PRO:\0\x1b:1'),
        Buffer.from([0x50, 0xff]),
      ],
    },
  ],
  [
    'N16',
    {
      breaks: ['', 'a', 'ab', 'é', 'x'.repeat(129), '\u00e9'.repeat(65), Buffer.from([0xff, 0xff])],
      keeps: ['abc', '用', 'x'.repeat(128), '\u00e9'.repeat(64), Buffer.from([0, 1, 2])],
    },
  ],
  ['N16', { breaks: ['abc', 'abcdefg'], keeps: ['abcd', 'abcdef'], options: { params: { atLeast: 4, atMost: 6 } } }],
  [
    'N18',
    {
      breaks: [
        ...[
          'x'.repeat(101),
          'd41d8cd98f:a:b',
          'deadbee1:name',
          '12345678:a',
          `${UUID}:a`,
          '12345678',
          Buffer.alloc(101),
        ],
        // Single letters do not count, nor do ids and the type.
        ...[
          'a:b:c:string',
          'a:b:c',
          'u:1',
          'x',
          '',
          '1:2:3',
          'a b',
          '1234567:a',
          'c:user@example.com:1',
          Buffer.alloc(25),
        ],
        'a:d41d8cd98f00b204:hash',
      ],
      keeps: [
        ...['x'.repeat(100), '1234567:name', 'user:d41d8cd98f00b204:a', 'deadbeef:a', 'facade:1'],
        ...['u:1:fr:m:7', 'string', 'a:string:b', 'v2:user1', '用:1', 'é:où'],
      ],
    },
  ],
  ['N18', { breaks: ['user:1'], keeps: ['us:1'], options: { params: { atMost: 5 } } }],
  [
    'N20',
    {
      breaks: [
        'get',
        'GET',
        'Info',
        'flushall',
        'null',
        'ok',
        'xadd',
        'georadiusbymember_ro',
        'user:vadd:1',
        'commandlog',
        // A segment counts too, wherever it is.
        'get:1',
        'user:get',
        'user:HGETALL:1',
        'user:1:setnx',
        'user:null:1',
        // Ordinary words are only refused as the whole name.
        'time',
        'Type',
        'role',
        'set',
      ],
      keeps: [
        '',
        'gets',
        ' get',
        'user',
        'true',
        'get set',
        'user:target',
        'user:get.all',
        Buffer.from('get\0'),
        // Words that are needed: those of S2's type suffix, of the standards' own examples, and common ones.
        'user:basic:info:42:set',
        'user:basic:info:42:string',
        'user:type:1',
        'time:zone:1',
        'user:role:1',
        'app:config:1',
        'job:sort:time',
        'auth:client:1',
        'queue:object:1',
      ],
    },
  ],
  [
    'N20',
    {
      breaks: ['get', 'mine', 'a:mine', 'a:get'],
      keeps: ['null', 'Min', 'a:null'],
      options: { params: { reserved: ['Mine'] } },
    },
  ],
  ['N20', { breaks: ['get', 'a:time'], keeps: ['a:get:1'], options: { params: { ordinary: ['GET'] } } }],
  ['N20', { breaks: ['a/get/1'], keeps: ['a:get:1'], options: { delimiter: '/' } }],
  // Commands of every tested version, also of those after 7.0; not those of modules.
  ['N20', { breaks: ['a:hexpire', 'a:waitaof', 'a:hgetex', 'a:hsetex', 'a:hgetdel'], keeps: ['a:json.set:1'] }],
  // A word longer than any command is allowed.
  [
    'N20',
    {
      breaks: ['averyveryverylongreservedword'],
      keeps: ['averyveryverylongreservedwords'],
      options: { params: { reserved: ['AVeryVeryVeryLongReservedWord'] } },
    },
  ],
];

const rowFor = (name: Name): AdHocRow =>
  Buffer.isBuffer(name) ? makeRow(name) : typeof name === 'string' ? { name } : name;

describe('key rules about names', () => {
  it.each(table.map(([id, verdicts], i) => [id, i, verdicts] as const))('%s (case %i)', async (id, _i, verdicts) => {
    const { breaks, keeps, options } = verdicts;
    const said = await askRules([ruleById.get(id)!], [...breaks, ...keeps].map(rowFor), options);
    const wrong = [...breaks, ...keeps].filter((_, i) => said[i]![id] !== i < breaks.length);
    expect(wrong).toEqual([]);
  });

  it('has cases of every rule, of both kinds', () => {
    for (const { id } of rules) {
      const mine = table.filter(([rule]) => rule === id);
      expect([id, mine.some(([, v]) => v.breaks.length > 0), mine.some(([, v]) => v.keeps.length > 0)]).toEqual([
        id,
        true,
        true,
      ]);
    }
  });
});

it('N20 knows the commands that only this server has', async () => {
  const names = ['user:json.get:1', 'JSON.GET', 'json', 'user:jsonxget:1', 'digest', 'file:digest:1'];
  const rows = names.map((name) => makeRow(Buffer.from(name)));
  const of = async (moreCommands: string[]) =>
    (await askRules(rules, rows, { moreCommands })).map((said) => said.N20 === true);
  expect(await of([])).toEqual([false, false, false, false, false, false]);
  expect(await of(['json.get', 'digest'])).toEqual([true, true, false, false, true, false]);
});
