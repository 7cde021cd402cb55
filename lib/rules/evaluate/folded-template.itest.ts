import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldSegment } from '@/lib/model/names/fold-segment';
import { escapeSegment } from '@/lib/model/names/written-segment';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { catalogue } from '@/lib/rules/catalogue';
import { type AdHocRow, withRows } from '@/lib/snapshots/query/ad-hoc-rows';
import { LONG } from '@/test/long-form.mjs';
import { askRules } from '@/test/rules/ask-rules';
import { hostileRows } from '@/test/rules/hostile-rows';
import { rulesTemplateSql, shapedSql, TEMPLATE_SEGMENTS } from './folded-template-sql';
import { idsAlike } from './pass-sql';

interface Reported extends Record<string, unknown> {
  plain: boolean;
  place: number | null;
  template: string;
}
function reported(rows: readonly AdHocRow[], colons = true): Promise<Reported[]> {
  return withRows(rows, (source) =>
    source.query<Reported>(
      `SELECT plain, place, ${rulesTemplateSql} AS template FROM ${shapedSql(source.keys, colons)} ORDER BY ordinal`,
    ),
  );
}

/** The name that the tree shows for the same key. */
function expected(name: string): string {
  return [...name]
    .slice(0, 512)
    .join('')
    .split(':')
    .slice(0, TEMPLATE_SEGMENTS)
    .map((segment) => foldSegment(segment) ?? escapeSegment(segment))
    .join(':');
}

const chars = (set: string, min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...set), minLength: min, maxLength: max });
const uuid = fc.uuid();
const segment = fc.oneof(
  fc.constantFrom(
    'user',
    'accounts',
    'feedback',
    'deadbeef',
    'facade',
    '',
    'v2',
    'svc28',
    '{room',
    '7}',
    '用户',
    'É',
    'basic.info',
    'user_17',
    'job-2024-01-15',
    '{17}',
    '{user_17}',
    'utf-8',
    'a1_b2',
    '10.0.0.1',
    'x_{int}_5',
    'SO123456',
    'web-7d4b9c6f5d-x2k9p',
    '用户17',
    '33Z',
    '0x1f',
    '2026-11-20T10',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ),
  fc.constantFrom(
    '{int}',
    '\\{int}',
    '\\\\{hex}',
    '{date}',
    '{email}',
    '{other}',
    'a\\',
    '20261120',
    '20261320',
    '19991231',
  ),
  fc.constantFrom(
    '2026-11-20',
    '2026-11',
    '2026-1',
    '18991231',
    'a@b.cc',
    'a@b',
    'x y',
    '-',
    '/',
    '~',
    'ghijklmnop',
    '1e10',
    '0b101010',
  ),
  chars('0123456789', 1, 20),
  chars('0123456789abcdef', 1, 40),
  chars('0123456789ABCDEF', 6, 20),
  chars('abcdefgz', 6, 12),
  chars('aA0/_-=+', 14, 20),
  uuid,
  uuid.map((id) => id.toUpperCase()),
  uuid.map((id) => id.replaceAll(/[0-9]/g, 'a')),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => toWellFormed(text).replaceAll('\0', '')),
);
const name = fc.oneof(
  { weight: 20, arbitrary: fc.array(segment, { minLength: 1, maxLength: 10 }).map((parts) => parts.join(':')) },
  { weight: 1, arbitrary: fc.tuple(segment, segment).map(([a, b]) => `${a}:${'w'.repeat(505)}:${b}`) },
);
const names = [...new Set(fc.sample(name, { seed: 20261121, numRuns: LONG ? 30_000 : 5000 }))];

describe('the template of a name', () => {
  it.each([true, false])('is what the tree says of it (parted by colons: %s)', async (colons) => {
    const rows = [...names.map((one): AdHocRow => ({ name: one })), ...hostileRows()];
    const found = await reported(rows, colons);
    const wrong = rows.flatMap((row, i) =>
      found[i]!.template === expected(row.name) ? [] : [[row.name, found[i], expected(row.name)]],
    );
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(found.filter((one) => one.plain).length).toBeGreaterThan(LONG ? 200 : 20);
  });
});

/** Pairs of ids of the same kind and length. */
const digits = (length: number) => chars('0123456789', length, length);
const hex = (length: number) => chars('0123456789abcdef', length, length);
const like: fc.Arbitrary<[string, string]>[] = [
  ...[1, 2, 5, 7, 8, 9, 10].map((length) => fc.tuple(digits(length), digits(length))),
  fc.tuple(uuid, uuid),
  ...[8, 9, 12, 16, 32, 40].map((length) => fc.tuple(hex(length), hex(length))),
  fc.tuple(fc.constantFrom('12345678-1234-1234-1234-123456789012'), uuid),
  fc.tuple(fc.constantFrom('13812345678a', '440524188001010014a'), hex(12)),
  fc.constant(['12', '1'] as [string, string]),
];
const words = [
  'svc15',
  '86-',
  'a-2024x',
  'user',
  'USER',
  'User',
  'basic_info',
  'basic.info',
  'basic-info',
  'basicInfo',
  'password',
  'id.card',
  'accounts',
  'facade',
  'a',
  'get',
  'x/y',
  'a,b',
  '',
  '用户',
  'two words',
  'string',
  'hash',
  'timelinetimelinetimeline',
];
const word = fc.constantFrom(...words);
/** Texts by which numbers are joined to words and to each other. */
const joint = fc.constantFrom('_', '.', '-', '{', '}', '{room_', '.v', '_1x_', 'abcd-', '}.', '+86-', 'SO', 'x', '用');
const number = fc.oneof(
  ...[1, 2, 4, 8, 10].map((length) => fc.tuple(digits(length), digits(length))),
  fc.tuple(fc.constantFrom('1', '2024', '19', '123'), fc.constantFrom('2', '5', '11', '3812345678')),
);
const joined = fc
  .tuple(
    word,
    fc.array(fc.tuple(joint, number), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '}', '.x', '_b', 'Z'),
  )
  .map(([first, rest, last]): [string, string] => [
    first + rest.map(([sign, [a]]) => sign + a).join('') + last,
    first + rest.map(([sign, [, b]]) => sign + b).join('') + last,
  ]);
const pair = fc
  .tuple(
    fc.oneof(
      { weight: 2, arbitrary: word.map((text): [string, string] => [text, text]) },
      { weight: 1, arbitrary: joined },
    ),
    fc.array(
      fc.oneof(
        word.map((text): [string, string] => [text, text]),
        joined,
        ...like,
      ),
      { minLength: 0, maxLength: 6 },
    ),
  )
  .map(([first, parts]): [string, string] => [
    [first, ...parts].map(([a]) => a).join(':'),
    [first, ...parts].map(([, b]) => b).join(':'),
  ]);

describe('plain names of one template and length', () => {
  it('get the same verdict of every rule that the pass asks once for all of them', async () => {
    const years: [string, string][] = [
      ['log:x:2024:05', 'log:x:9876:05'],
      ['log:2024:5:x', 'log:2024:0:x'],
    ];
    const pairs = [...years, ...fc.sample(pair, { seed: 20261121, numRuns: LONG ? 60_000 : 8000 })];
    const row = (text: string): AdHocRow => ({ name: text, type: 'string' });
    const [one, other] = [pairs.map(([a]) => row(a)), pairs.map(([, b]) => row(b))];
    const [reportedOne, reportedOther] = [await reported(one), await reported(other)];
    const same = pairs.map(
      ([a, b], i) =>
        reportedOne[i]!.plain &&
        reportedOther[i]!.plain &&
        reportedOne[i]!.template === reportedOther[i]!.template &&
        reportedOne[i]!.place === reportedOther[i]!.place &&
        a.length === b.length,
    );
    expect(same.filter(Boolean).length).toBeGreaterThan(LONG ? 5000 : 700);
    expect(same.filter((one, i) => one && reportedOne[i]!.place !== null).length).toBeGreaterThan(LONG ? 300 : 40);
    const rules = catalogue.filter(
      (entry) =>
        entry.kind === 'key' &&
        entry.violated &&
        idsAlike({ entry, nameOnly: entry.nameOnly, params: {} } as Parameters<typeof idsAlike>[0], { delimiter: ':' }),
    );
    expect(rules.length).toBeGreaterThan(12);
    const [saidOne, saidOther] = [await askRules(rules, one), await askRules(rules, other)];
    const wrong = pairs.flatMap((names, i) =>
      same[i] && JSON.stringify(saidOne[i]) !== JSON.stringify(saidOther[i]) ? [[names, saidOne[i], saidOther[i]]] : [],
    );
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  it('are not alike for rules whose words may be found in an id or reach into one', () => {
    const alike = (params: object, delimiter = ':') => {
      const entry = catalogue.find((rule) => rule.id === 'V16')!;
      return idsAlike({ entry, nameOnly: true, params } as Parameters<typeof idsAlike>[0], { delimiter });
    };
    expect(alike({ words: ['password', 'id-card'] })).toBe(true);
    for (const odd of ['dead', 'Face', 'a-b', 'bad_face', 'bad.face', 'id:dead', 'x1', ''])
      expect([odd, alike({ words: ['password', odd] })]).toEqual([odd, false]);
    expect(alike({ words: [] }, 'e')).toBe(false);
  });
});
