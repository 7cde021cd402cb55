import { describe, expect, it } from 'vitest';
import type { StandardId } from '@/lib/model/rules';
import { catalogue } from '@/lib/rules/catalogue';
import { presets } from '@/lib/rules/presets';
import { withRows } from '@/lib/snapshots/ad-hoc-rows';
import { askRules } from './ask-rules';

/**
 * The examples that the standards give for names, held against every preset. A standard is satisfied with its own
 * examples except where it contradicts itself, and these places are told by name. That S2 parts the words of
 * `basic:info` by a colon (its own rule wants a dot) no machine can tell from two meanings.
 */
type Preset = StandardId | 'default';
const PRESETS: readonly Preset[] = ['S0', 'S1', 'S2', 'S3', 'S4', 'default'];
type Example = [name: string, type: string | null, of: string, broken: Record<Preset, string>];

const examples: Example[] = [
  ['ugc:video:1', null, 'N1 (S1)', { S0: 'N5', S1: '', S2: 'N2 N4', S3: '', S4: 'N5 N14', default: 'N4' }],
  [
    'user:basic:info:{userid}:string',
    'string',
    'N2 and N4 (S2): its braces are outside its own alphabet',
    { S0: 'N5', S1: '', S2: 'N8', S3: 'N8', S4: 'N5 N14', default: '' },
  ],
  [
    'user:basic:info:42:string',
    'string',
    'N4 (S2) with an id in the place of its placeholder',
    { S0: 'N5', S1: '', S2: '', S3: '', S4: 'N5 N14', default: '' },
  ],
  [
    'user:basic:info:42:string',
    'hash',
    'N4 (S2) with a type that is not the real one',
    { S0: 'N5', S1: '', S2: 'N4', S3: '', S4: 'N5 N14', default: 'N4' },
  ],
  [
    'user:basic.info:1',
    null,
    'N3 (S3)',
    { S0: 'N5 N13', S1: '', S2: 'N2 N4', S3: '', S4: 'N5 N13 N14', default: 'N4' },
  ],
  ...['PRO:USER:UID:18', 'PRO:USER:LOGINNAME:373166324'].map(
    (name): Example => [name, null, 'N5 (S0, S4)', { S0: '', S1: '', S2: 'N4 N8', S3: 'N8', S4: '', default: 'N4 N8' }],
  ),
  ...['UserAdmin', 'userAdmin'].map(
    (word): Example => [
      `PRO:${word}:UID:18`,
      null,
      'N15 (S0): a style that it allows is one word',
      { S0: '', S1: '', S2: 'N4 N8 N12', S3: 'N8 N12', S4: 'N13 N14', default: 'N4 N8 N12' },
    ],
  ),
  [
    'PRO:user_admin:UID:18',
    null,
    'N15 (S0): likewise',
    { S0: '', S1: '', S2: 'N4 N8 N10 N12', S3: 'N8 N10 N12', S4: 'N13 N14', default: 'N4 N8 N10 N12' },
  ],
  ...['user:{uid}:friends:messages:{mid}', 'u:{uid}:fr:m:{mid}'].map(
    (name): Example => [
      name,
      null,
      'N17 (S1, S3): S3 writes placeholders that are outside its own alphabet',
      { S0: 'N5', S1: '', S2: 'N4 N8', S3: 'N8', S4: 'N5 N14', default: 'N4' },
    ],
  ),
  ...['user:1:friends:messages:7', 'u:1:fr:m:7'].map(
    (name): Example => [
      name,
      null,
      'N17 (S1, S3) with ids',
      { S0: 'N5', S1: '', S2: 'N4', S3: '', S4: 'N5 N14', default: 'N4' },
    ],
  ),
  ...['{user1000}.following', '{user1000}.followers'].map(
    (name): Example => [
      name,
      null,
      'N24 (S0): placed by its tag, and that is its structure',
      {
        S0: '',
        S1: 'N1',
        S2: 'N2 N4 N7 N8',
        S3: 'N3 N7 N8',
        S4: 'N14',
        default: 'N3 N4',
      },
    ],
  ),
  ...['foo{{bar}}zap', 'foo{bar}{zap}'].map(
    (name): Example => [
      name,
      null,
      'N24 (S0): likewise',
      { S0: '', S1: 'N1', S2: 'N2 N4 N8', S3: 'N3 N8', S4: 'N14', default: 'N3 N4' },
    ],
  ),
  [
    'foo{}{bar}',
    null,
    'N24 (S0): without a tag, of one segment',
    { S0: 'N5', S1: 'N1', S2: 'N2 N4 N8', S3: 'N3 N8', S4: 'N5 N14', default: 'N3 N4' },
  ],
  [
    'user1',
    null,
    'N3: no structure at all',
    { S0: 'N5', S1: 'N1', S2: 'N2 N4', S3: 'N3', S4: 'N5 N14', default: 'N3 N4' },
  ],
  [
    'get',
    null,
    'N20 (S3): a reserved word',
    { S0: 'N5', S1: 'N1', S2: 'N2 N4', S3: 'N3 N20', S4: 'N5 N14', default: 'N3 N4 N20' },
  ],
  [
    'a b',
    null,
    'N9 (S0, S1, S2): a space',
    { S0: 'N5 N9', S1: 'N1 N9', S2: 'N2 N4 N8 N9', S3: 'N3 N8', S4: 'N5 N14', default: 'N3 N4 N8 N9' },
  ],
];

const cases = examples.flatMap(([name, type, of, broken]) =>
  PRESETS.map((preset) => [name, type, preset, of, broken[preset]] as const),
);

describe("the standards' own examples", () => {
  it.each(cases)('%s (%s) under %s: %s', async (name, type, preset, _of, broken) => {
    const body = presets.get(preset)!;
    const on = catalogue.filter(
      (rule) => rule.kind === 'key' && rule.area === 'names' && rule.nameOnly && body.rules[rule.id]!.on,
    );
    const found: string[] = [];
    for (const rule of on) {
      const { params } = body.rules[rule.id]!;
      const [said] = await askRules([rule], [{ name, type }], { params });
      if (said![rule.id] === true) found.push(rule.id);
    }
    expect(found.join(' ')).toBe(broken);
  });

  it('of hash tags get the tag that a cluster places them by', async () => {
    const tags: [string, string | null][] = [
      ['{user1000}.following', 'user1000'],
      ['{user1000}.followers', 'user1000'],
      ['foo{}{bar}', null],
      ['foo{{bar}}zap', '{bar'],
      ['foo{bar}{zap}', 'bar'],
      ['{}whole', null],
      ['{', null],
      ['}{', null],
      ['a{b', null],
      ['plain', null],
    ];
    const found = await withRows(
      tags.map(([name]) => ({ name })),
      (source) => source.query<{ tag: string | null }>(`SELECT tag FROM ${source.keys} ORDER BY ordinal`),
    );
    expect(found.map((row) => row.tag)).toEqual(tags.map(([, tag]) => tag));
  });
});
