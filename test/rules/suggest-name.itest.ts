import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProfileBody } from '@/lib/model/policy';
import { ruleById } from '@/lib/rules/catalogue';
import { presets } from '@/lib/rules/presets';
import { suggestName } from '@/lib/rules/suggest-name';
import { type Askable, askRules } from './ask-rules';
import { hostileRows } from './hostile-rows';

const profile = (id: string) => presets.get(id)!;
const only = (...ids: string[]): ProfileBody => ({
  ...profile('default'),
  rules: Object.fromEntries(ids.map((id) => [id, { on: true, strength: 'advice' as const, params: {} }])),
});
const UUID = '550e8400-e29b-41d4-a716-446655440000';

describe('a suggested name', () => {
  it.each([
    ['default', 'User:BasicInfo:1', 'hash', 'user:basic.info:1:hash'],
    ['default', 'user_1', 'string', 'user:1:string'],
    ['default', 'user-1-name', 'string', 'user:1:name:string'],
    ['default', 'user/1/name', 'string', 'user:1:name:string'],
    ['default', 'user:basic_info:1', null, 'user:basic.info:1'],
    ['default', 'user:first name:1', null, 'user:first.name:1'],
    ['default', 'user:"quoted":1', null, 'user:quoted:1'],
    ['default', 'user:1:zset', 'hash', 'user:1:hash'],
    ['default', 'user:1:hash', 'hash', null],
    ['default', 'user:XMLHttpRequest:1', null, 'user:xml.http.request:1'],
    ['default', 'PRO:USER:UID:18', 'string', 'pro:user:uid:18:string'],
    ['default', 'a::b:1', null, 'a:b:1'],
    ['default', '{User}:Basic_Info', null, '{user}:basic.info'],
    ['S4', 'pro:user:uid:18', null, 'PRO:USER:UID:18'],
    ['S4', 'pro:userName:uid:18', null, 'PRO:USER:NAME:UID:18'],
    ['S4', 'pro:basic.info:1', null, 'PRO:BASIC:INFO:1'],
    ['S1', 'user:a b:1', null, 'user:ab:1'],
    ['S0', 'user:basic.info:1', null, 'user:basic:info:1'],
    // Nothing sensible: an id, an address, bytes, another script, nothing.
    ['default', UUID, null, null],
    ['default', '12345', null, null],
    ['default', 'li.lei@example.com', null, null],
    ['default', 'user:\\xff:1', null, null],
    ['default', '用户:1:name', null, null],
    ['default', 'café:1:x', null, null],
    ['default', '', null, null],
    ['default', '::', null, null],
    ['default', 'x'.repeat(600), null, null],
  ])('%s: %s (%s) becomes %s', (id, name, type, suggested) => {
    expect(suggestName(name, type, profile(id))).toBe(suggested);
  });

  it('does not touch what no rule is about', () => {
    expect(suggestName('User_1 x', 'hash', only())).toBeNull();
    expect(suggestName('User_1', 'hash', only('N10'))).toBe('User.1');
    expect(suggestName('User_1', 'hash', only('N14'))).toBe('USER_1');
  });

  it('keeps to the delimiter of the profile', () => {
    const body = { ...profile('default'), delimiter: '/' };
    expect(suggestName('User/BasicInfo/1', 'hash', body)).toBe('user/basic.info/1/hash');
  });

  it('keeps ids as they are apart from what no profile allows', () => {
    expect(suggestName(`User:${UUID}`, null, profile('S1'))).toBeNull();
    expect(suggestName(`User:${UUID}`, null, only('N12'))).toBeNull();
  });
});

const FIXABLE = ['N4', 'N7', 'N8', 'N9', 'N10', 'N11', 'N12', 'N13', 'N14'];
const fragment = fc.oneof(
  fc.constantFrom(
    ...'user User USER userAdmin UserAdmin user_admin user-admin basic.info 1 42 2026-11-21 set hash aB3dE9fG1hJ2kL5m {42} {User}'.split(
      ' ',
    ),
    UUID,
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
    'li@x.cn',
    '*',
    '%',
  ),
  fc.string({ unit: fc.constantFrom(...'aB1._-:/ {}'), maxLength: 8 }),
);
const anyName = fc
  .tuple(fc.array(fragment, { minLength: 1, maxLength: 6 }), fc.constantFrom(':', ':', ':', '_', '-', '.', '/', ''))
  .map(([parts, sign]) => parts.join(sign));
const types = ['string', 'hash', 'list', 'set', 'zset', 'stream', 'ReJSON-RL', null];

describe.each([...presets.keys()])('suggested names under %s', (id) => {
  const body = profile(id);
  const cases = [
    ...hostileRows().map((row) => ({ name: row.name, type: 'hash' as string | null })),
    ...fc
      .sample(fc.tuple(anyName, fc.constantFrom(...types)), { seed: 20261121, numRuns: 6000 })
      .map(([name, type]) => ({ name, type })),
  ];

  it('have nothing left to suggest', () => {
    const again = cases.flatMap(({ name, type }) => {
      const suggested = suggestName(name, type, body);
      const next = suggested === null ? null : suggestName(suggested, type, body);
      return next === null ? [] : [{ name, type, suggested, next }];
    });
    expect(again.slice(0, 10)).toEqual([]);
  });

  it('break none of the rules that a spelling can keep', async () => {
    const suggested = cases.flatMap(({ name, type }) => {
      const better = suggestName(name, type, body);
      return better === null ? [] : [{ name: better, type, from: name }];
    });
    if (id !== 'S1') expect(suggested.length).toBeGreaterThan(1000);
    const wrong: unknown[] = [];
    for (const rule of FIXABLE.filter((one) => body.rules[one]!.on).map((one) => ruleById.get(one) as Askable)) {
      const said = await askRules([rule], suggested, { params: body.rules[rule.id]!.params });
      suggested.forEach((one, i) => {
        // Of other types there is no word.
        if (rule.id === 'N4' && (one.type === null || one.type === 'ReJSON-RL')) return;
        if (said[i]![rule.id] !== false) wrong.push({ rule: rule.id, ...one });
      });
    }
    expect(wrong.slice(0, 10)).toEqual([]);
  });
});
