import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { ruleById } from '@/lib/rules/catalogue';
import { checkRows } from '@/lib/rules/evaluate/check-rows';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { SPELLING_RULES, suggestName } from '@/lib/rules/suggest-name';
import { withRows } from '@/lib/snapshots/query/ad-hoc-rows';
import { LONG } from '../long-form.mjs';
import { askRules, withParams } from './ask-rules';
import { hostileRows } from './hostile-rows';
import { EXAMPLE_NAMES } from './standards-examples';

const profile = (id: string) => presets.get(id)!;
const only = (...ids: string[]): ProfileBody => ({
  ...profile('default'),
  rules: Object.fromEntries(ids.map((id) => [id, { on: true, strength: 'advice' as const, params: {} }])),
});
interface Named {
  name: string;
  type: string | null;
}
/** Returns suggestions as the key page and `lint` show them: confirmed by the rules. */
const shown = async (body: ProfileBody, rows: readonly Named[]) =>
  (await checkRows(toPolicy(body), rows)).map((verdict) => verdict.suggested);

const UUID = '550e8400-e29b-41d4-a716-446655440000';
const OPENID = 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o';

describe('a suggested name', () => {
  type Case = [preset: string, name: string, type: string | null, suggested: string | null];
  const cases: Case[] = [
    ['default', 'User:BasicInfo:1', 'hash', 'user:basic.info:1:hash'],
    ['default', 'user_1', 'string', 'user:1:string'],
    ['default', 'user-1-name', 'string', 'user:1:name:string'],
    ['default', 'user/1/name', 'string', 'user:1:name:string'],
    ['default', 'prefix.user.id', 'hash', 'prefix:user:id:hash'],
    ['default', 'user：info：1', 'hash', 'user:info:1:hash'],
    ['default', 'user:basic_info:1', null, 'user:basic.info:1'],
    ['default', 'user:first name:1', null, 'user:first.name:1'],
    ['default', 'user:"quoted":1', null, 'user:quoted:1'],
    ['default', 'user:1:zset', 'hash', 'user:1:hash'],
    ['default', 'user:1:hash', 'hash', null],
    ['default', 'user:XMLHttpRequest:1', null, 'user:xml.http.request:1'],
    ['default', 'PRO:USER:UID:18', 'string', 'pro:user:uid:18:string'],
    ['default', 'a::b_c:1', null, 'a:b.c:1'],
    ['default', 'User:{42}:BasicInfo', null, 'user:{42}:basic.info'],
    ['default', `User:${OPENID.toLowerCase().replace('_', 'x')}:Cart`, null, 'user:oupf8umuajoxm2pxb1q9znjwes6o:cart'],
    ['default', `Log:2024-01-01:Order`, null, null],
    ['S4', 'pro:user:uid:18', null, 'PRO:USER:UID:18'],
    ['S4', 'pro:uid:18:userName', null, null],
    ['S1', 'user:a b:1', null, 'user:a.b:1'],
    ['S0', 'shop:user.info:1', null, 'shop:user:info:1'],
    ['S0', 'userAdmin:user:id:18', null, null],
    // An id stays as it is; if the rules do not allow it, there is no suggestion.
    ['default', `User:${OPENID}:Cart`, null, null],
    ['default', `user_${OPENID}`, null, null],
    ['default', `User:${UUID.toUpperCase()}:Cart`, null, null],
    ['default', 'User:aB3dE9:cart', null, null],
    ['default', 'User:XyZqRtPl:cart', null, null],
    ['default', 'user_AbCdEfGhIj', null, null],
    ['default', 'user:isAdminOfTeam:1', null, 'user:is.admin.of.team:1'],
    ['S4', `pro:user:uid:${UUID}`, null, `PRO:USER:UID:${UUID}`],
    // A value of letters only stays too: the last segment of S4, and what follows a column.
    ['S4', 'PRO:USER:USERNAME:zhangsan', null, null],
    ['S4', 'PRO:USER:USERNAME:Zhangsan', null, null],
    ['S4', 'PRO:USER:USERNAME:zhangsan:', null, null],
    ['S4', 'pro:user:username:ZHANGSAN', null, 'PRO:USER:USERNAME:ZHANGSAN'],
    ['S4', 'pro:user:email:lisi', null, 'PRO:USER:EMAIL:lisi'],
    // Another sign in the place of the colon of S0, S1 and S4.
    ...['S0', 'S4'].flatMap((id) =>
      ['PRO_USER_UID_18', 'PRO-USER-UID-18', 'PRO/USER/UID/18', 'PRO：USER：UID：18', 'PRO:USER/UID:18'].map(
        (name): Case => [id, name, null, 'PRO:USER:UID:18'],
      ),
    ),
    ['S4', 'pro_user_uid_18', null, 'PRO:USER:UID:18'],
    ['S0', 'pro_user_uid_18', null, 'pro:user:uid:18'],
    ['S1', 'ugc_video_1', null, 'ugc:video:1'],
    ['S0', 'PRO:user_admin:UID:18', null, null],
    ['S0', 'shop:order:zhang.san', null, null],
    ['default', 'user:login:JohnSmith', 'string', null],
    ['default', 'user:login:JohnSmith:string', 'string', null],
    ['default', 'User:userName:john_smith', null, null],
    ['default', 'session:ABCDEF:cart', 'hash', null],
    ['default', 'invite:code:ABCDEF', 'string', null],
    ['default', 'Invite:code:abcdef', 'string', 'invite:code:abcdef:string'],
    ['default', 'Invite:code::abcdef', 'string', 'invite:code:abcdef:string'],
    ['default', 'user:Email:ZhangSan', null, null],
    ['default', 'shop:sku:ABCDEF', null, null],
    ['default', 'shop:couponUsed:BasicInfo', null, 'shop:coupon.used:basic.info'],
    ['default', 'Quote:symbol:BTCUSDT', null, null],
    ['default', 'shop:COUPON:SUMMER', null, null],
    ['default', 'user_login_JohnSmith', 'string', null],
    ['default', 'user/login/JohnSmith', 'string', null],
    ['default', 'shop:login_john_smith:1', 'string', null],
    ['default', 'shop:login_log:1', null, 'shop:login.log:1'],
    ['default', 'user_id_18', 'string', 'user:id:18:string'],
    // A column in braces is itself the value.
    ['default', 'User:{uid}:BasicInfo', null, 'user:{uid}:basic.info'],
    ['default', 'order:code:hash', 'set', 'order:code:set'],
    // A hash tag stays too, because its text decides the slot of the key.
    ['default', '{User}:Basic_Info:1', null, null],
    ['S2', 'User:{42}:BasicInfo:1', null, null],
    // There is no sensible suggestion for an address, bytes, another script, or an empty name.
    ['default', UUID, 'hash', null],
    ['default', '12345', 'hash', null],
    ['default', 'li.lei@example.com', null, null],
    ['default', 'user:\\xff:1', null, null],
    ['default', '用户:1:Name', null, null],
    ['default', 'café:1:X', null, null],
    ['default', '', null, null],
    ['default', '::', null, null],
    ['default', 'X'.repeat(600), null, null],
  ];
  /** Cases that are evaluated together: of one preset, where no name equals another one or its suggestion. */
  const batches: { id: string; names: Set<string>; rows: Named[]; answer: ReturnType<typeof shown> | null }[] = [];
  const placed = cases.map(([id, name, type, suggested]) => {
    const own = suggested === null ? [name] : [name, suggested];
    let batch = batches.find((one) => one.id === id && !own.some((text) => one.names.has(text)));
    if (!batch) {
      batch = { id, names: new Set(), rows: [], answer: null };
      batches.push(batch);
    }
    for (const text of own) batch.names.add(text);
    return { batch, at: batch.rows.push({ name, type }) - 1 };
  });
  it.each(cases.map((one, i) => [...one, i] as const))(
    '%s: %s (%s) becomes %s',
    async (id, _name, _type, suggested, i) => {
      const { batch, at } = placed[i]!;
      batch.answer ??= shown(profile(id), batch.rows);
      expect((await batch.answer)[at]).toEqual(suggested);
    },
  );

  it('does not touch what no rule is about', () => {
    expect(suggestName('User_1 x', 'hash', only())).toBeNull();
    expect(suggestName('User_1', 'hash', only('N10'))).toBe('User.1');
    expect(suggestName('User_1', 'hash', only('N14'))).toBe('USER_1');
  });

  it('keeps to the delimiter of the profile', async () => {
    const body = { ...profile('default'), delimiter: '/' };
    expect(await shown(body, [{ name: 'User/BasicInfo/1', type: 'hash' }])).toEqual(['user/basic.info/1/hash']);
  });

  it('keeps the opposite words of two ids apart', async () => {
    const names = ['aB3dE9fG1hJ2kL5m', 'ab3dE9fG1hJ2kL5m', 'AB3DE9FG1HJ2KL5M'].map((id) => `visit:userInfo:${id}`);
    expect(names.map((name) => suggestName(name, null, only('N12')))).toEqual(
      names.map((name) => name.replace('userInfo', 'user.Info')),
    );
  });

  it('is given to no two names, and is no name of another', async () => {
    const rows = ['User:info:1', 'USER:info:1', 'Order:info:1', 'order:info:1', 'Cart:info:1'];
    expect(
      await shown(
        profile('S3'),
        rows.map((name) => ({ name, type: null })),
      ),
    ).toEqual([null, null, null, null, 'cart:info:1']);
  });
});

const pick = <T>(...all: readonly T[]) => fc.constantFrom(...all);
const from = (alphabet: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const withDigit = (ids: fc.Arbitrary<string>) => ids.filter((id) => /[0-9]/.test(id));

/** Ids as they occur in names, one of each kind. */
const anyId = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000_000 }).map(String),
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  withDigit(from(`${DIGITS}abcdef`, 32)),
  withDigit(from(`${DIGITS}ABCDEF`, 16)),
  fc.tuple(withDigit(from(`${DIGITS}abcdef`, 4)), from(`${DIGITS}abcdef`, 6)).map((parts) => parts.join('-')),
  withDigit(from(LOWER + LOWER.toUpperCase() + DIGITS, 6)),
  // An id of WeChat: 28 characters, including some signs.
  withDigit(from(`${LOWER}${LOWER.toUpperCase()}${DIGITS}_-`, 27)).map((id) => `o${id}`),
  withDigit(from(`${LOWER.toUpperCase()}${DIGITS}`, 26)),
  fc.tuple(fc.integer({ min: 2000, max: 2030 }), fc.integer({ min: 10, max: 12 })).map((parts) => parts.join('-')),
  fc.integer({ min: 20_200_101, max: 20_301_231 }).map((day) => `SN${day}`),
);
const anyWord = pick(
  ...'user User USER userAdmin UserAdmin user_admin user-admin basic.info Basic_Info ORDER_ITEM cartItems page get'.split(
    ' ',
  ),
);
/** Ids of letters only: just the column before them shows that they are ids. */
const letterId = fc.oneof(
  pick('zhangsan', 'Zhangsan', 'ZHANGSAN', 'lisi', 'JohnSmith', 'johnSmith', 'ABCDEF', 'abcdef'),
  from(LOWER + LOWER.toUpperCase(), 8),
  from(LOWER.toUpperCase(), 6),
);
const anyColumn = pick(
  ...'id uid userId user_id openid login LOGINNAME userName code inviteCode token session sn orderNo'.split(' '),
);
interface Made {
  name: string;
  ids: string[];
}
const segment = fc.oneof(
  anyWord.map((text) => ({ text, ids: [] as string[] })),
  anyId.map((id) => ({ text: id, ids: [id] })),
  anyId.map((id) => ({ text: `{${id}}`, ids: [id] })),
  fc.tuple(pick('User', 'order', 'cart'), pick('_', '-', '.'), anyId).map(([word, sign, id]) => ({
    text: word + sign + id,
    ids: [id],
  })),
  fc.tuple(anyColumn, pick(':', ':', ':', '_', '-', '.', '/'), letterId).map(([column, sign, id]) => ({
    text: column + sign + id,
    ids: [id],
  })),
);
const madeName: fc.Arbitrary<Made> = fc
  .tuple(
    anyWord,
    fc.array(segment, { minLength: 0, maxLength: 4 }),
    pick(':', ':', ':', ':', ':', '/', '_', '-', '：', '::'),
  )
  .map(([first, rest, sign]) => ({
    name: [first, ...rest.map((one) => one.text)].join(sign),
    ids: rest.flatMap((one) => one.ids),
  }));

const fragment = fc.oneof(
  anyWord,
  anyId,
  pick(
    '',
    ' ',
    '_',
    '-',
    '->',
    '=>',
    '/',
    '|',
    '#',
    '"',
    "'",
    '\\',
    '..',
    'a b',
    'é',
    '用户',
    '\u200b',
    '*',
    '%',
    '{42}',
  ),
  fc.string({ unit: fc.constantFrom(...'aB1._-:/ {}'), maxLength: 8 }),
);
const anyName = fc
  .tuple(fc.array(fragment, { minLength: 1, maxLength: 6 }), pick(':', ':', ':', '_', '-', '.', '/', ''))
  .map(([parts, sign]) => parts.join(sign));
const anyType = pick('string', 'hash', 'list', 'set', 'zset', 'stream', 'ReJSON-RL', null);

/** Returns what remains of a name when the spelling of its words and its type at the end are ignored. */
const spoken = (name: string, ids: readonly string[]) => {
  const words = ids.reduce((text, id) => text.replace(id, '\n'), name).toLowerCase();
  return [words.replace(/[^a-z0-9\n]/g, ''), ...ids].join('|');
};
const suggestTags = (names: readonly string[]) =>
  withRows(
    names.map((name) => ({ name })),
    (source) => source.query<{ tag: string | null }>(`SELECT tag FROM ${source.keys} ORDER BY ordinal`),
  );

const ALL = LONG ? 10_000 : 1200;

describe.each([...presets.keys()])('suggested names under %s', (id) => {
  const body = profile(id);
  const made = fc.sample(fc.tuple(madeName, anyType), { seed: 20261122, numRuns: ALL });
  const cases: (Named & { ids: string[] })[] = [
    ...EXAMPLE_NAMES.map((name) => ({ name, type: 'hash', ids: [] })),
    ...hostileRows().map((row) => ({ name: row.name, type: 'hash', ids: [] })),
    ...made.map(([{ name, ids }, type]) => ({ name, type, ids })),
    ...fc
      .sample(fc.tuple(anyName, anyType), { seed: 20261121, numRuns: ALL })
      .map(([name, type]) => ({ name, type, ids: [] })),
  ];

  it('keep ids byte for byte and hash tags where they are, and never make one key of two', async () => {
    const suggested = cases.flatMap((one) => {
      const better = suggestName(one.name, one.type, body);
      return better === null ? [] : [{ ...one, better }];
    });
    expect(suggested.length).toBeGreaterThan((id === 'S1' ? 500 : 3000) * (ALL / 10_000));
    const altered = suggested.filter(({ ids, better }) => {
      let at = 0;
      return ids.some((one) => {
        at = better.indexOf(one, at) + one.length;
        return at < one.length;
      });
    });
    expect(altered.slice(0, 10)).toEqual([]);
    const before = await suggestTags(suggested.map((one) => one.name));
    const after = await suggestTags(suggested.map((one) => one.better));
    expect(suggested.filter((_, i) => before[i]!.tag !== after[i]!.tag).slice(0, 10)).toEqual([]);
    // Two names with one suggestion must be one name spelt in two ways.
    const meant = new Map<string, string>();
    const merged = suggested.filter(({ name, ids, better }) => {
      if (ids.length === 0) return false;
      const said = spoken(name, ids);
      const other = meant.get(better) ?? said;
      meant.set(better, said);
      return other !== said;
    });
    expect(merged.slice(0, 10)).toEqual([]);
  });

  it('are shown only where the rules pass, each for one key alone', async () => {
    const unique = [...new Map(cases.map((one) => [one.name, one])).values()];
    const all = await shown(body, unique);
    const better = unique.flatMap(({ type }, i) => (all[i] == null ? [] : [{ name: all[i], type }]));
    expect(better.length).toBeGreaterThan((id === 'S1' ? 100 : 300) * (ALL / 10_000));
    const names = better.map((one) => one.name);
    expect(new Set(names).size).toBe(names.length);
    const there = new Set(unique.map((one) => one.name));
    expect(names.filter((name) => there.has(name))).toEqual([]);
    const wrong: unknown[] = [];
    const rules = SPELLING_RULES.filter((one) => body.rules[one]!.on);
    const said = await askRules(
      rules.map((rule) => withParams(ruleById.get(rule)!, body.rules[rule]!.params)),
      better,
    );
    for (const rule of rules)
      better.forEach((one, i) => {
        // There is no word for other types.
        if (rule === 'N4' && (one.type === null || one.type === 'ReJSON-RL')) return;
        if (said[i]![rule] !== false) wrong.push({ rule, ...one });
      });
    expect(wrong.slice(0, 10)).toEqual([]);
    // No further suggestion is made for a suggested name.
    expect(better.filter(({ name, type }) => suggestName(name, type, body) !== null).slice(0, 10)).toEqual([]);
  });
});
