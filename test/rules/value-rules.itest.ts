import { describe, expect, it } from 'vitest';
import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { recogniseValue } from '@/lib/model/keys/recognised-values';
import { catalogue, ruleById } from '@/lib/rules/catalogue';
import { checkRows } from '@/lib/rules/evaluate/check-rows';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import type { AdHocRow } from '@/lib/snapshots/query/ad-hoc-rows';
import { withRows } from '@/lib/snapshots/query/ad-hoc-rows';
import { bigkeySql, recognisedSql } from '@/lib/snapshots/query/bigkey-sql';
import { askRules } from './ask-rules';

const AS_OF = 1_790_000_000_000;
const rules = catalogue.filter((rule) => rule.kind === 'key' && /^[VT]/.test(rule.id));
const NEVER = { expireAt: null, expiryKnown: true };
const at = (seconds: number) => ({ expireAt: AS_OF + seconds * 1000, expiryKnown: true });

type Case = [rule: string, verdict: boolean | null, why: string, row: Partial<AdHocRow>, lazyExpire?: boolean | null];
const cases: Case[] = [
  ['V1', true, 'a string of 10,241 bytes', { type: 'string', length: 10_241 }],
  ['V1', false, 'one of exactly 10 KB whose memory is more', { type: 'string', length: 10_240, bytes: 12_344 }],
  ['V1', true, 'memory that no string below the limit takes', { type: 'string', bytes: 25_000 }],
  ['V1', null, 'memory that a string below the limit may take too', { type: 'string', bytes: 20_000 }],
  ['V1', null, 'memory that its long name may take', { name: 'n'.repeat(1000), type: 'string', bytes: 22_000 }],
  ['V1', null, 'a string of unknown size', { type: 'string' }],
  ['V1', null, 'a large key of unknown type', { bytes: 20_000 }],
  ['V1', false, 'a small key of unknown type', { bytes: 100 }],
  ['V1', false, 'a large hash', { type: 'hash', length: 1_000_000, bytes: 1e8 }],
  ['V1', false, 'as long as a dense HyperLogLog', { type: 'string', length: 12_304, bytes: 14_400 }],
  ['V1', true, 'one byte more than a HyperLogLog', { type: 'string', length: 12_305 }],
  ['V1', true, 'as long as one, with another header', { type: 'string', length: 12_304, hyperloglog: false }],
  ['V1', false, 'longer, with its header', { type: 'string', length: 20_000, hyperloglog: true }],
  ['V1', false, 'a bitmap by its name', { name: 'sign:bitmap:7', type: 'string', length: 125_000 }],
  ['V1', false, 'a bitmap whose length nobody asked', { name: 'sign:bitmap:7', type: 'string', bytes: 1_500_000 }],
  ['V1', true, 'a bitmap above 1 MiB', { name: 'sign:bitmap:7', type: 'string', length: 2_000_000 }],
  ['V1', true, 'a name that only begins so', { name: 'sign:bitmapped:7', type: 'string', length: 125_000 }],
  ['V2', false, 'the memory of a HyperLogLog', { type: 'string', length: 12_304, bytes: 14_400 }],
  ['V2', true, 'the memory of no such', { type: 'string', length: 12_304, bytes: 14_400, hyperloglog: false }],
  ['V3', false, 'a geospatial index by its name', { name: 'shop:geo', type: 'zset', length: 9000, bytes: 900_000 }],
  ['V3', false, 'one of unknown length', { name: 'shopGeo:7', type: 'zset' }],
  ['V3', true, 'one above 1 MiB', { name: 'shop:geo', type: 'zset', length: 90_000, bytes: 9_000_000 }],
  ['V3', true, 'a hash of that name', { name: 'shop:geo', type: 'hash', length: 9000 }],
  ['V2', true, 'a set of 11 KB', { type: 'set', bytes: 11_000 }],
  ['V2', false, 'exactly 10 KB', { type: 'set', bytes: 10_240 }],
  ['V2', null, 'unknown memory', { type: 'set', length: 9 }],
  ['V3', true, 'a list of 5001', { type: 'list', length: 5001 }],
  ['V3', false, 'a list of 5000', { type: 'list', length: 5000 }],
  ['V3', false, 'a stream of 9000', { type: 'stream', length: 9000 }],
  ['V3', null, 'a list whose length nobody asked', { type: 'list', bytes: 10_000 }],
  ['V3', false, 'a list without memory for so many', { type: 'list', bytes: 9999 }],
  ['V3', false, 'a packed hash without memory for so many', { type: 'hash', encoding: 'listpack', bytes: 19_999 }],
  ['V3', false, 'a packed zset likewise', { type: 'zset', encoding: 'listpack', bytes: 19_999 }],
  ['V3', null, 'a packed hash with memory for so many', { type: 'hash', encoding: 'listpack', bytes: 20_000 }],
  ['V3', false, 'a table without memory for so many', { type: 'zset', encoding: 'skiplist', bytes: 79_999 }],
  ['V3', null, 'nothing known', {}],
  ['V3', null, 'many elements of an unknown type', { length: 5001 }],
  ['V3', false, 'few elements of an unknown type', { length: 5000 }],
  ['V4', true, 'a hash of 101', { type: 'hash', length: 101 }],
  ['V4', false, 'a hash of 100', { type: 'hash', length: 100 }],
  ['V4', false, 'a set of 101', { type: 'set', length: 101 }],
  ['V4', null, 'a hash with memory for 100', { type: 'hash', encoding: 'listpack', bytes: 400 }],
  ['V4', false, 'a hash without', { type: 'hash', encoding: 'listpack', bytes: 399 }],
  ['V5', true, 'a set of 10,001', { type: 'set', length: 10_001 }],
  ['V5', false, 'a list of 10,000', { type: 'list', length: 10_000 }],
  ['V5', true, 'a zset of 10,001', { type: 'zset', length: 10_001 }],
  ['V5', null, 'a set with memory for so many', { type: 'set', encoding: 'intset', bytes: 20_000 }],
  ['V10', true, 'a bigkey that expires, freed in the main thread', { type: 'zset', length: 6000, ...at(60) }, false],
  ['V10', false, 'lazyfree-lazy-expire yes', { type: 'zset', length: 6000, ...at(60) }, true],
  ['V10', false, 'a bigkey that never expires', { type: 'zset', length: 6000, ...NEVER }, false],
  ['V10', false, 'a small key that expires', { type: 'zset', length: 60, ...at(60) }, null],
  ['V10', null, 'a bigkey that expires; the server did not tell', { type: 'hash', length: 20_000, ...at(60) }, null],
  ['V10', false, 'a string of 12 KB that expires', { type: 'string', length: 12_288, ...at(60) }, false],
  ['V10', false, 'a string of 100 MB: one allocation', { type: 'string', length: 1e8, ...at(60) }, false],
  ['V10', true, 'the list of the standards, 2,000,000 elements', { type: 'list', length: 2_000_000, ...at(60) }, false],
  ['V10', false, 'a list of 6000: few large nodes', { type: 'list', length: 6000, ...at(60) }, false],
  [
    'V10',
    true,
    'a linked list of 6000, as before 3.2',
    { type: 'list', encoding: 'linkedlist', length: 6000, ...at(60) },
    false,
  ],
  ['V10', false, 'one packed allocation', { type: 'hash', encoding: 'listpack', length: 6000, ...at(60) }, false],
  ['V10', true, 'a bigkey by its memory', { type: 'hash', length: 2000, bytes: 2e6, ...at(60) }, false],
  ['V10', false, 'a small hash that expires', { type: 'hash', length: 2000, bytes: 2e5, ...at(60) }, false],
  ['V10', null, 'perhaps a bigkey; the type is unknown', { length: 6000, ...at(60) }, false],
  ['V10', null, 'a bigkey of unknown expiry', { type: 'zset', length: 6000, expiryKnown: false }, false],
  ['V10', null, 'perhaps a bigkey', { type: 'hash', bytes: 50_000, ...at(60) }, false],
  ['V10', false, 'a list without memory for so many', { type: 'list', bytes: 50_000, ...at(60) }, false],
  ['V10', false, 'unknown size, but lazyfree-lazy-expire yes', { type: 'list', ...at(60) }, true],
  ['V14', true, 'a hash of one field', { type: 'hash', length: 1, ...NEVER }],
  ['V14', false, 'a lock: one field, 30 seconds', { type: 'hash', length: 1, ...at(30) }],
  [
    'V14',
    false,
    'a lock of ten minutes by its name',
    { name: 'redisson:orderLock:7', type: 'hash', length: 1, ...at(600) },
  ],
  ['V14', true, 'one field for an hour', { type: 'hash', length: 1, ...at(3600) }],
  ['V14', true, 'a lock that never expires', { name: 'order:lock:7', type: 'hash', length: 1, ...NEVER }],
  ['V14', true, 'no lock by name', { name: 'order:locker:7', type: 'hash', length: 1, ...at(600) }],
  ['V14', null, 'one field of unknown expiry', { type: 'hash', length: 1, expiryKnown: false }],
  ['V14', false, 'a hash of two', { type: 'hash', length: 2 }],
  ['V14', false, 'a list of one', { type: 'list', length: 1 }],
  ['V14', null, 'a hash of unknown length', { type: 'hash', bytes: 100 }],
  ['V19', true, 'few fields in a full table', { type: 'hash', encoding: 'hashtable', length: 10, bytes: 900 }],
  ['V19', true, 'without memory for more', { type: 'zset', encoding: 'skiplist', bytes: 2048 }],
  ['V19', null, 'unknown length', { type: 'zset', encoding: 'skiplist', bytes: 4000 }],
  ['V19', false, 'a packed hash', { type: 'hash', encoding: 'listpack', length: 10, bytes: 900 }],
  ['V19', false, 'many fields', { type: 'hash', encoding: 'hashtable', length: 129, bytes: 8000 }],
  ['V19', false, 'much memory', { type: 'hash', encoding: 'hashtable', length: 2, bytes: 8193 }],
  ['V19', false, 'much memory, unknown length', { type: 'hash', encoding: 'hashtable', bytes: 9000 }],
  [
    'V19',
    false,
    'a set, which had no compact form for words',
    { type: 'set', encoding: 'hashtable', length: 2, bytes: 300 },
  ],
  ['V19', null, 'unknown encoding', { type: 'hash', length: 2, bytes: 300 }],
  ['T1', true, 'no expiry', NEVER],
  ['T1', false, 'an expiry', at(5)],
  ['T1', null, 'unknown expiry', { expiryKnown: false }],
  ['T3', true, 'no expiry', NEVER],
  ['T3', false, 'an expiry', at(5)],
  ['T3', null, 'unknown expiry', { expiryKnown: false }],
  ['T5', true, 'a minute less one second', { type: 'hash', ...at(59) }],
  ['T5', true, 'a string', { type: 'string', length: 5, ...at(59) }],
  ['T5', true, 'a long value of an unknown type', { length: 5, ...at(59) }],
  ['T5', null, 'a string of unknown length', { type: 'string', ...at(59) }],
  ['T5', false, 'null, as a cache keeps an empty answer', { type: 'string', length: 4, ...at(59) }],
  ['T5', false, 'an empty answer of unknown expiry', { type: 'string', length: 0, expiryKnown: false }],
  ...['lock:order:1', 'orderLock:1', '订单锁:1', 'login:captcha:7', 'sms:7', 'user:checkCode:7', '验证码:7'].map(
    (name): Case => ['T5', false, name, { name, type: 'string', length: 36, ...at(59) }],
  ),
  ['T5', false, 'a lock of unknown expiry', { name: 'lock:order:1', type: 'hash', expiryKnown: false }],
  ['T5', false, 'a minute', at(60)],
  ['T5', false, 'over already', at(-1)],
  ['T5', false, 'no expiry', NEVER],
  ['T5', null, 'unknown expiry', { expiryKnown: false }],
  ...[
    'user:13812345678:profile',
    'sms:+8613812345678',
    'u:8613812345678',
    'sess:token:1',
    'userToken',
    'cache:USER_TOKENS:5',
    'tokenExpired:1',
    'card:11010519491231002X',
    // Only the second number has the right check digit.
    'cards:110101199003074845:110101199003074848',
    'mail:li.lei@example.com:inbox',
    'user:id_card:9',
    'user:idCard:9',
    'userIdCard',
    'user:bankCards:9',
    'USER:BANK_CARD:9',
    'user:id-card:9',
    'user:bank-card:9',
    'USER:ID-CARD:9',
    'user:IDCard:9',
    'userIDCards:9',
    'user:sfz:9',
    'user:sfzh:9',
    'userSFZ:9',
    'user:loginPWD',
    'userSFZNo:9',
    'user:手机号:9',
    'user:手机:9',
    'user:邮箱:9',
    'user:mima:9',
    'app:apikey:9',
    'app:apiKey:9',
    'app:API_KEY:9',
    'app:access-key:9',
    'userCredentials:9',
    '用户身份证',
    'pwd',
  ].map((name): Case => ['V16', true, name, { name }]),
  ...[
    'order:15012345678901',
    'ts:1700000000000',
    'ts:1700000000',
    'order:12012345678',
    'id:138123456789',
    'tweet:1759288472991170630',
    'tokenizer:1',
    'kamimay:1',
    'rapikey:1',
    'access:keys:1',
    'TOKENIZER:1',
    'stephone:1',
    'grid.cards:1',
    'gridCard:1',
    'user:idCardio:1',
    'user:IDCardio:1',
    'RAPIDCard:1',
    'user:id--card:1',
    'rapid-card:1',
    'sfzx:1',
    'userSFZX:1',
    'userTOKEN:1',
    'card:110105194912310021',
    // The check digit is right, but there is no such month.
    'card:110101199013074841',
    'mail:li.lei@host.x',
    'hash:a13812345678f',
    'foo@bar',
    'user:1:name',
    '',
  ].map((name): Case => ['V16', false, name, { name }]),
];

describe('key rules about values and expiry', () => {
  // One statement per setting contains all rules of all cases, because planning it takes longer than running it.
  const answers = new Map<boolean | null, ReturnType<typeof askRules>>();
  const askAll = (lazyExpire: boolean | null) => {
    const answer =
      answers.get(lazyExpire) ??
      askRules(
        rules,
        cases.map(([, , , row]) => ({ name: 'a:b:1', ...row })),
        { asOf: AS_OF, lazyExpire },
      );
    answers.set(lazyExpire, answer);
    return answer;
  };
  it.each(cases.map(([id, verdict, why, , lazyExpire], i) => [id, verdict, why, i, lazyExpire] as const))(
    '%s is %s: %s',
    async (id, verdict, _why, i, lazyExpire) => {
      const said = await askAll(lazyExpire ?? null);
      expect(said[i]![id]).toBe(verdict);
    },
  );

  it.each(rules.map((rule) => [rule.id, rule] as const))('%s has cases of every kind', (id, rule) => {
    const seen = new Set(cases.filter((one) => one[0] === id).map((one) => one[1]));
    expect([...seen]).toEqual(expect.arrayContaining(rule.facts.length === 0 ? [true, false] : [true, false, null]));
  });

  it('takes other thresholds and words', async () => {
    const rows = [
      { name: 'a:visa:1', type: 'list', length: 11 },
      { name: 'a:token:1', type: 'list', length: 10 },
    ];
    const said = await askRules([ruleById.get('V3')!, ruleById.get('V16')!], rows, {
      params: { elements: 10, words: ['visa', 'a.b(', ''] },
    });
    expect(said).toEqual([
      { V3: true, V16: true },
      { V3: false, V16: false },
    ]);
    expect(await askRules([ruleById.get('V16')!], rows, { params: { words: [] } })).toEqual([
      { V16: false },
      { V16: false },
    ]);
  });
});

describe('V10 and the bigkey report', () => {
  it('mean the same keys, with the numbers of the profile', async () => {
    const hash = (length: number) => ({ name: 'a:b:1', type: 'hash', length, ...at(60) });
    const rows = [hash(5000), hash(5001), hash(2001), { ...hash(2000), bytes: 20_000 }];
    const asked = (bigkeys: BigkeyThresholds) =>
      askRules([ruleById.get('V10')!], rows, { asOf: AS_OF, lazyExpire: false, bigkeys });
    const said = (await asked(STANDARD_THRESHOLDS)).map(({ V10 }) => V10);
    expect(said).toEqual([false, true, false, false]);
    const own = { ...STANDARD_THRESHOLDS, elements: 2000, collectionBytes: 10_240 };
    expect((await asked(own)).map(({ V10 }) => V10)).toEqual([true, true, true, true]);
  });
  it.each([STANDARD_THRESHOLDS, { stringBytes: 400, elements: 100, collectionBytes: 8192 }])(
    'never a key that is no bigkey there: %j',
    async (bigkeys) => {
      const rows = everySize();
      const said = await askRules([ruleById.get('V10')!], rows, { asOf: AS_OF, lazyExpire: false, bigkeys });
      const big = await withRows(rows, (source) =>
        source.query<{ big: boolean }>(`SELECT ${bigkeySql(bigkeys)} AS big FROM ${source.keys} ORDER BY ordinal`),
      );
      const violated = said.flatMap(({ V10 }, i) => (V10 === true ? [big[i]!.big] : []));
      expect(violated.length).toBeGreaterThan(10);
      expect(new Set(violated)).toEqual(new Set([true]));
    },
  );
  it('tells HyperLogLogs, bitmaps and geospatial indexes apart from bigkeys, and never to split them', async () => {
    const rows = [
      { name: 'uv:20261122', type: 'string', length: 12_304 },
      { name: 'sign:bitmap:7', type: 'string', length: 125_000 },
      { name: 'shop:geo', type: 'zset', length: 9000, bytes: 900_000 },
      { name: 'shop:rank', type: 'zset', length: 9000, bytes: 900_000 },
      { name: 'page:json', type: 'string', length: 12_304, hyperloglog: false },
      { name: 'uv:sparse', type: 'string', length: 11_000, hyperloglog: true },
    ];
    const found = await withRows(rows, (source) =>
      source.query<{ big: boolean; apart: boolean }>(
        `SELECT ${bigkeySql(STANDARD_THRESHOLDS)} AS big, ${recognisedSql(STANDARD_THRESHOLDS)} AS apart FROM ${source.keys} ORDER BY ordinal`,
      ),
    );
    expect(found.map(({ big, apart }) => [big, apart])).toEqual([
      [false, true],
      [false, true],
      [false, true],
      [true, false],
      [true, false],
      [false, true],
    ]);
    expect(rows.map(recogniseValue)).toEqual(['hyperloglog', 'bitmap', 'geo', null, null, 'hyperloglog']);
    const split = await checkRows(toPolicy(presets.get('default')!), rows);
    expect(split.map((one) => one.split?.buckets ?? null)).toEqual([null, null, null, 2, 2, null]);
  });
});

/** Every type in every encoding, with sizes near each bound, known and unknown, with and without an expiry. */
function everySize(): AdHocRow[] {
  const or = <T, R>(all: readonly T[], make: (one: T) => R[]): R[] => all.flatMap(make);
  const lengths = [1, 100, 101, 2001, 5000, 5001, 10_001, 2_000_000, null];
  const sizes = [400, 8193, 10_240, 20_000, 80_000, 2_000_000, null];
  return or(['string', 'hash', 'list', 'set', 'zset', 'stream', 'ReJSON-RL', null], (type) =>
    or(['listpack', 'hashtable', 'linkedlist', null], (encoding) =>
      or(lengths, (length) =>
        or(sizes, (bytes) =>
          [at(60), NEVER].map((expiry) => ({ name: 'a:b:1', type, encoding, length, bytes, ...expiry })),
        ),
      ),
    ),
  );
}
