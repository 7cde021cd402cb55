import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CustomRule, type ProfileBody } from '@/lib/model/rules/policy';
import { ruleById } from '@/lib/rules/catalogue';
import { customUnknownSql, customViolatedSql } from '@/lib/rules/custom-rule';
import { checkProfile } from '@/lib/rules/profiles/check-profile';
import { presets } from '@/lib/rules/profiles/presets';
import { parseTemplate } from '@/lib/rules/template';
import type { AdHocRow } from '@/lib/snapshots/query/ad-hoc-rows';
import { LONG } from '../long-form.mjs';
import { type Askable, askRules } from './ask-rules';

const UUID = '550e8400-e29b-41d4-a716-446655440000';
let ids = 0;
const rule = (template: string, prefix = ''): Askable => {
  const own = CustomRule.parse({
    id: `X-${++ids}`,
    title: 'own',
    strength: 'advice',
    check: 'template',
    template,
    prefix,
  });
  return { id: own.id, params: {}, violated: (_params, sql) => customViolatedSql(own, sql) };
};
describe("a threshold of one's own", () => {
  const max = (column: string, types: string[], prefix = ''): Askable => {
    const id = `X-${++ids}`;
    const own = CustomRule.parse({
      id,
      title: 'own',
      strength: 'advice',
      check: 'threshold',
      column,
      types,
      prefix,
      atMost: 2,
    });
    return {
      id,
      params: {},
      violated: (_p, sql) => customViolatedSql(own, sql),
      unknown: (_p, sql) => customUnknownSql(own, sql),
    };
  };
  const list = { name: 'a:b:c', type: 'list' };
  const untyped = { name: 'a:b:c', type: null };
  const cases: [what: string, asked: Askable, row: AdHocRow, expected: boolean | null][] = [
    ['above', max('length', ['list']), { ...list, length: 3 }, true],
    ['below', max('length', ['list']), { ...list, length: 2 }, false],
    ['not told', max('length', ['list']), { ...list, length: null }, null],
    ['of another type', max('length', ['set', 'hash']), { ...list, length: 3 }, false],
    ['of another type, not told', max('length', ['set']), { ...list, length: null }, false],
    ['above, of a type that is not told', max('length', ['list']), { ...untyped, length: 3 }, null],
    ['below, of a type that is not told', max('length', ['list']), { ...untyped, length: 2 }, false],
    ['nothing told', max('length', ['list']), { ...untyped, length: null }, null],
    ['outside of the prefix', max('length', ['list'], 'x:'), { ...untyped, length: 3 }, false],
    ['any type', max('length', []), { ...untyped, length: 3 }, true],
    ['segments of a type that is not told', max('segments', ['list']), untyped, null],
    ['few segments of a type that is not told', max('segments', ['list']), { name: 'a:b', type: null }, false],
    ['segments', max('segments', ['list'], 'a:'), list, true],
    ['bytes of the name, any type, within a prefix', max('nameBytes', [], 'a:'), list, true],
    ['no expiry', max('ttlSeconds', ['list']), { ...list, expireAt: null, expiryKnown: true }, true],
    ['no expiry, any type', max('ttlSeconds', []), { ...untyped, expireAt: null, expiryKnown: true }, true],
    ['no expiry, of another type', max('ttlSeconds', ['set']), { ...list, expireAt: null, expiryKnown: true }, false],
    [
      'no expiry, of a type that is not told',
      max('ttlSeconds', ['list']),
      { ...untyped, expireAt: null, expiryKnown: true },
      null,
    ],
    ['expiry not told', max('ttlSeconds', ['list']), untyped, null],
  ];
  let answers: ReturnType<typeof askRules> | null = null;
  it.each(cases.map(([what, asked, , expected], i) => [what, asked.id, i, expected] as const))(
    '%s',
    async (_what, id, i, expected) => {
      answers ??= askRules(
        cases.map(([, asked]) => asked),
        cases.map(([, , row]) => row),
      );
      expect((await answers)[i]![id]).toBe(expected);
    },
  );
});

async function follows(template: string, names: readonly (string | AdHocRow)[], delimiter = ':') {
  const asked = rule(template);
  const rows = names.map((name) => (typeof name === 'string' ? { name } : name));
  return (await askRules([asked], rows, { delimiter })).map((said) => said[asked.id] === false);
}

const table: [template: string, follow: (string | AdHocRow)[], not: (string | AdHocRow)[], delimiter?: string][] = [
  ['user', ['user'], ['User', 'user:1', 'xuser', 'users', '']],
  ['user:{id}', ['user:1', 'user:{1}', 'user: ', 'user:用'], ['user', 'user:', 'user:1:2', 'x:user:1', 'user:1:']],
  ['{a}:{b}', ['x:y'], ['x', ':y', 'x:', ':', 'x:y:z']],
  ['u:{int}', ['u:0', 'u:42'], ['u:-1', 'u:4a', 'u:', 'u:1.5']],
  ['u:{uuid}', [`u:${UUID}`, `u:${UUID.toUpperCase()}`], ['u:1', `u:${UUID}0`, `u:${UUID.replaceAll('-', '')}`]],
  ['u:{alnum}', ['u:01ARZ3NDEKTSV4RRFFQ69G5FAV', 'u:cjld2cjxh0000qzrmn831i7rn'], ['u:cart', 'u:1', 'u:']],
  ['u:{hex}', ['u:0x1F', 'u:deadbe0f', 'u:BEEF0123', 'u:12345678'], ['u:g', 'u:', 'u:dead', 'u:deadBE0F']],
  [
    'u:{date}',
    ['u:20261121', 'u:2026-11-21', 'u:2026-11'],
    ['u:202611', 'u:20261321', 'u:2026-11-32', 'u:1', 'u:18990101'],
  ],
  ['{user|order}:{id}', ['user:1', 'order:1'], ['cart:1', 'user|order:1', 'users:1']],
  ['{a.b|c+d}:1', ['a.b:1', 'c+d:1'], ['axb:1', 'ccd:1']],
  ['log:{rest...}', ['log:1', 'log:1:2:3'], ['log', 'log:', 'log::1', 'log:1:', 'log:1::2']],
  ['a.b*c:(x)+[y]^$|\\', ['a.b*c:(x)+[y]^$|\\'], ['axb*c:(x)+[y]^$|\\', 'a.b*c:x']],
  ['pre{tag}:{id}', ['pre{tag}:1'], ['prex:1']],
  ['{tag}x:{id}', ['{tag}x:1'], ['ax:1']],
  [
    '{m}:{id}:{type}',
    [
      { name: 'm:1:hash', type: 'hash' },
      { name: 'm:1:hash', type: null },
    ],
    [
      { name: 'm:1:hash', type: 'zset' },
      { name: 'm:1:json', type: null },
      { name: 'm:1', type: 'hash' },
    ],
  ],
  ['{a}--{b}', ['x--y', 'x-y--z'], ['x--y--z', 'x', '--y', 'x--', 'x----y'], '--'],
  ['a--{rest...}', ['a--x', 'a--x--y'], ['a', 'a--', 'a--x----y', 'b--x'], '--'],
  ['class:{constructor}:{toString}', ['class:1:2'], ['class:1', 'class:1:2:3']],
  ['log.{rest...}', ['log.1', 'log.1.2'], ['log', 'log.', 'log.1..2'], '.'],
  ['{user_id}_{a-b}', ['1_2', 'a-b_c'], ['1', '1_2_3'], '_'],
  ['{a|b}|{id}', ['a|1', 'b|2'], ['c|1', 'a', 'a|1|2'], '|'],
  ['{a}]{b}', ['x]y'], ['x]y]z', 'x'], ']'],
  ['{a}^{b}', ['x^y'], ['x^y^z', 'xy'], '^'],
  ['{a}\\{b}', ['x\\y'], ['x\\y\\z', 'xy'], '\\'],
];

describe('forms of names', () => {
  it.each(table)('%s', async (template, follow, not, delimiter) => {
    const said = await follows(template, [...follow, ...not], delimiter);
    expect([...follow, ...not].filter((_, i) => said[i] !== i < follow.length)).toEqual([]);
  });

  it('hold below their prefix only', async () => {
    const asked = rule('pay:{int}', 'pay:');
    const said = await askRules([asked], [{ name: 'pay:1' }, { name: 'pay:x' }, { name: 'user:x' }]);
    expect(said.map((one) => one[asked.id])).toEqual([false, true, false]);
  });

  it.each([
    ['', 1, 'is empty'],
    [':', 1, 'is empty'],
    ['a:', 2, 'is empty'],
    ['a::b', 2, 'is empty'],
    ['a:{}', 2, 'nothing between'],
    ['{', 1, 'unpaired'],
    ['}', 1, 'unpaired'],
    ['a:b:{c', 3, 'unpaired'],
    ['a}:b', 1, 'unpaired'],
    ['{a{b}}', 1, 'braces within'],
    ['{a}{b}', 1, 'braces within'],
    ['{a|}:b', 1, 'empty alternative'],
    ['{|}', 1, 'empty alternative'],
    ['{rest...}:a', 1, 'must be the last'],
    ['{a b}', 1, 'no word'],
    ['{1}', 1, 'no word'],
    ['{type}:{type}', 2, 'second time'],
  ])('%j is refused, and the place is told', (template, segment, problem) => {
    expect(() => parseTemplate(template, ':')).toThrow(
      expect.objectContaining({
        code: 'bad_request',
        details: { segment },
        message: expect.stringContaining(problem),
      }),
    );
  });

  it('whatever is written, either fits or is refused with a sentence', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab{}:|.*+?()[]\\^$- 1é'), maxLength: 20 }), (template) => {
        try {
          expect(parseTemplate(template, ':').pattern).not.toBe('');
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad_request', message: expect.stringMatching(/segment \d+ .+\.$/) });
        }
      }),
    );
  });

  it('what is taken, the database takes', async () => {
    const taken = fc
      .sample(fc.string({ unit: fc.constantFrom(...'ab{}:|.*+?()[]\\^$- 1é'), minLength: 1, maxLength: 12 }), {
        seed: 20261121,
        numRuns: 3000,
      })
      .filter((template) => {
        try {
          return parseTemplate(template, ':');
        } catch {
          return false;
        }
      })
      .slice(0, LONG ? 300 : 110);
    expect(taken.length).toBeGreaterThan(100);
    // A template without a placeholder only matches itself.
    const said = await askRules(
      taken.map((template) => rule(template)),
      taken.map((name) => ({ name })),
    );
    taken.forEach((template, i) => {
      if (!template.split(':').some((segment) => /^\{.*\}$/.test(segment)))
        expect([template, Object.values(said[i]!)[i]]).toEqual([template, false]);
    });
  });
});

/** Generates a segment of a template with a text that matches it and one that does not. */
const word = fc.stringMatching(/^[a-z]{1,8}$/);
const segment = fc.oneof(
  word.map((text) => ({ template: text, fits: text, not: `${text}x` })),
  word.map((text) => ({ template: '{name}', fits: text, not: '' })),
  fc.nat().map((n) => ({ template: '{int}', fits: String(n), not: `${n}x` })),
  fc.uuid().map((id) => ({ template: '{uuid}', fits: id, not: id.slice(1) })),
  fc.nat().map((n) => ({ template: '{hex}', fits: n.toString(16).padStart(8, '0'), not: `${n.toString(16)}g` })),
  fc.tuple(word, word).map(([a, b]) => ({ template: `{${a}|${b}}`, fits: b, not: `${a}${b}` })),
);

it('a name built to follow a form follows it; changed at one place it breaks that form', async () => {
  const forms = fc.sample(fc.array(segment, { minLength: 1, maxLength: 6 }), {
    seed: 20261121,
    numRuns: LONG ? 250 : 50,
  });
  const rules = forms.map((parts) => rule(parts.map((part) => part.template).join(':')));
  const rows: AdHocRow[] = [];
  const expected: { rule: number; violated: boolean }[] = [];
  const add = (index: number, name: string, violated: boolean) => {
    rows.push({ name });
    expected.push({ rule: index, violated });
  };
  forms.forEach((parts, index) => {
    const fits = parts.map((part) => part.fits);
    add(index, fits.join(':'), false);
    add(index, `${fits.join(':')}:more`, true);
    if (fits.length > 1) add(index, fits.slice(1).join(':'), true);
    parts.forEach((part, at) => {
      add(index, fits.with(at, part.not).join(':'), true);
    });
  });
  const said = await askRules(rules, rows);
  const wrong = expected.flatMap(({ rule: index, violated }, i) =>
    said[i]![rules[index]!.id] === violated ? [] : [{ name: rows[i]!.name, violated }],
  );
  expect(wrong).toEqual([]);
});

/**
 * One change, and every rule of the default profile that it must violate: where alphabets overlap, each rule that
 * forbids it.
 */
const OWNERS = ['shop:', 'user:'];
const changes: [violated: string, change: (module: string, word: string, id: number, type: string) => string][] = [
  ['', (m, w, i, t) => `${m}:${w}:${i}:${t}`],
  ['N3', (m, _w, _i, t) => `${m}:${t}`],
  ['N4', (m, w, i, t) => `${m}:${w}:${i}:${t === 'hash' ? 'set' : 'hash'}`],
  ['N4', (m, w, i) => `${m}:${w}:${i}`],
  ['N6', (m, w, i, t) => `${m}s:${w}:${i}:${t}`],
  ['N6 N7', (m, w, i, t) => `1${m}:${w}:${i}:${t}`],
  ['N8', (m, w, i, t) => `${m}:${w.toUpperCase()}:${i}:${t}`],
  ['N8', (m, w, i, t) => `${m}:${w}é:${i}:${t}`],
  ['N8 N9', (m, w, i, t) => `${m}:${w} x:${i}:${t}`],
  ['N8 N10', (m, w, i, t) => `${m}:_${w}:${i}:${t}`],
  ['N8 N11', (m, w, i, t) => `${m}:${w}/${i}:${t}`],
  ['N8 N12', (m, w, i, t) => `${m}:${w}-x:${i}:${t}`],
  ['N8 N12', (m, w, i, t) => `${m}:${w}Xy:${i}:${t}`],
  ['N8 N10 N12', (m, w, i, t) => `${m}:${w}_x:${i}:${t}`],
  ['N18', (m, w, i, t) => `${m}:${w.padEnd(80, 'x')}:${String(i).padStart(15, '1')}:${t}`],
  ['N16 N18', (m, w, i, t) => `${m}:${w.padEnd(120, 'x')}:${i}:${t}`],
  ['N6 N18', (_m, w, i, t) => `d41d8cd98f:${w}:${i}:${t}`],
  ['N3 N4 N6 N20', () => 'get'],
];

it('a name that keeps the default profile breaks, by one change, exactly what that change is about', async () => {
  const body = presets.get('default')!;
  const rules = [...ruleById.values()].filter((r) => r.id.startsWith('N') && r.kind === 'key' && body.rules[r.id]!.on);
  const bases = fc.sample(
    fc.tuple(
      fc.constantFrom('shop', 'user'),
      word.filter((text) => text.length > 1),
      fc.nat({ max: 1e9 }),
      fc.constantFrom('string', 'hash', 'list', 'set', 'zset', 'stream'),
    ),
    { seed: 20261121, numRuns: LONG ? 200 : 30 },
  );
  const cases = bases.flatMap(([m, w, i, t]) =>
    changes.map(([violated, change]) => ({ violated, name: change(m, w, i, t), type: t })),
  );
  const said = await askRules(rules, cases, { ownerPrefixes: OWNERS });
  const wrong = cases.flatMap((one, i) => {
    const found = rules.filter((r) => said[i]![r.id] === true).map((r) => r.id);
    return found.join(' ') === one.violated ? [] : [{ ...one, found: found.join(' ') }];
  });
  expect(wrong.slice(0, 10)).toEqual([]);
});

describe('what a profile may not say', () => {
  const body = presets.get('default')!;
  const withRule = (id: string, params: ProfileBody['rules'][string]['params']): ProfileBody => ({
    ...body,
    rules: { ...body.rules, [id]: { on: true, strength: 'advice', params } },
  });
  it.each([
    ['N16', { atMost: 0 }, 'rules.N16.params.atMost: at least 1'],
    ['N8', { allowTag: 2 }, 'rules.N8.params.allowTag: at most 1'],
    ['N16', { max: 1 }, 'rules.N16.params.max: there is no such number; it has atLeast, atMost.'],
    ['N10', { x: 1 }, 'rules.N10.params.x: this rule has no numbers.'],
    ['N16', { constructor: 1 }, 'rules.N16.params.constructor'],
    ['N16', { atMost: 'many' }, 'a number is expected'],
    ['N20', { reserved: 5 }, 'a list of words is expected'],
    ['N20', { reserved: ['user:1'] }, 'without a colon'],
    ['V20', { kinds: [] }, 'rules.V20.params.kinds: at least one of password, privateKey'],
    ['V20', { kinds: ['email', 'fax'] }, 'fax is not one of password, privateKey'],
    ['Z9', {}, 'rules.Z9: there is no such rule'],
  ])('%s with %j', (id, params, problem) => {
    expect(checkProfile(withRule(id, params)).errors.join(' ')).toContain(problem);
  });

  it('an own rule twice, a form that is none, a limit that is none: all at once', () => {
    const own = (more: object) => CustomRule.parse({ id: 'X-a', title: 'a', strength: 'advice', ...more });
    const { errors } = checkProfile({
      ...body,
      custom: [
        own({ check: 'template', template: 'a:{' }),
        own({ check: 'threshold', column: 'bytes' }),
        own({ check: 'regex', pattern: 'a', must: 'match', id: 'X-b' }),
      ],
    });
    expect(errors).toEqual([
      expect.stringContaining('custom.0.template: '),
      'custom.1.id: X-a is there twice.',
      expect.stringContaining('custom.1.atMost: '),
    ]);
  });

  it('warns of a type that Redis does not have: a mistyped one would check nothing', () => {
    const own = CustomRule.parse({
      ...{ id: 'X-a', title: 'a', strength: 'advice', check: 'threshold', column: 'length', atMost: 5 },
      types: ['hash', 'hsh', 'ReJSON-RL'],
    });
    const { errors, warnings } = checkProfile({ ...body, custom: [own] });
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      expect.stringContaining('custom.0.types: hsh is none of string, hash'),
      expect.stringContaining('custom.0.types: ReJSON-RL is none of'),
    ]);
  });
});
